import type { Language } from '../../core/i18n.ts';

/** The `tau.toml` that `tau init` writes, for a file of tools of this name. */
export function configTemplate(language: Language, tools: string): string {
  return `# Configuration of tau. Keys that are left out have the default that is named.

[agent]
# max_turns = 20                  # model calls for one message
# system_prompt = "You are a careful assistant."
# timeout_seconds = 120           # silence for this long means no; default: wait without limit

[ui]
language = "${language}"                   # "en" or "tr"

# The demo model needs no network: it calls a tool when you write its name.
[model]
provider = "demo"

# Secrets stay in the environment: api_key_env names the variable, never the key.
#
# [model]
# provider = "anthropic"          # npm install @anthropic-ai/sdk@^0.109.1
# model_id = "claude-sonnet-4-6"
# api_key_env = "ANTHROPIC_API_KEY"
#
# [model]
# provider = "openai"             # npm install openai@^6.45.0
# model_id = "gpt-5.4"
# api_key_env = "OPENAI_API_KEY"
#
# [model]                         # Ollama and other servers that speak OpenAI's protocol
# provider = "openai"
# model_id = "qwen3:8b"
# base_url = "http://localhost:11434/v1"
#
# [model]
# provider = "google"             # npm install @google/genai@^2.6.0
# model_id = "gemini-2.5-flash"
# api_key_env = "GEMINI_API_KEY"
#
# [model]
# provider = "bedrock"            # keys as the AWS tools find them
# model_id = "global.anthropic.claude-sonnet-4-6"
# max_tokens = 4096
# temperature = 0.2

[tools]
modules = ["./${tools}"]          # relative to this file; the default export is a guarded tool or a list

[log]
# level = "info"                  # "debug", "info", "warn" or "error"
# file = "tau.log"                # default: in the data folder
redact = ["password", "token"]    # names of arguments that the log must not show
`;
}

/** The `tools.ts` that `tau init` writes: one tool that runs at once, and one that asks. */
export const TOOLS_TEMPLATE = `// Your tools. tau loads the default export; '[tools] modules' in tau.toml names this file.
import { appendFileSync } from 'node:fs';
import { tauTool } from 'strands-tau/strands';
import { z } from 'zod';

// Tier 0 only reads, or has no effect that anybody could regret: it runs without a question.
const rollDice = tauTool({
  name: 'roll_dice',
  description: 'Rolls dice and returns what they show.',
  inputSchema: z.object({ count: z.number().int().min(1).max(20).default(2).describe('How many dice.') }),
  tier: 0,
  effect: 'Rolls dice; changes nothing.',
  callback: ({ count }) => Array.from({ length: count }, () => 1 + Math.floor(Math.random() * 6)).join(', '),
});

// Tier 1 writes data and runs without a question, too; it is logged. Tier 2 acts on the world: a person must say yes
// to exactly these arguments. The effect is what that person reads; you write it, never the model.
const sendMail = tauTool({
  name: 'send_mail',
  description: 'Sends a mail.',
  inputSchema: z.object({
    to: z.string().describe('The address.'),
    text: z.string().describe('What the mail says.'),
  }),
  tier: 2,
  effect: (args) => \`Sends a mail to \${z.object({ to: z.string() }).parse(args).to}. It cannot be called back.\`,
  callback: ({ to, text }) => {
    // Put your mail service here; until then the mail goes to a file.
    appendFileSync('outbox.txt', \`To: \${to}\\n\${text}\\n\\n\`);
    return \`sent to \${to}\`;
  },
});

export default [rollDice, sendMail];
`;
