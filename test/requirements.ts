import { toolFilterRequirements } from './ag-ui/tool-filter-requirements.ts';
import { bridgeRequirements } from './requirements-ag-ui.ts';
import { approvalRequirements } from './requirements-approvals.ts';

/** One thing that the package promises. A test pins it by naming its id in its title: `[G4] ...`. */
export interface Requirement {
  readonly id: string;
  readonly sentence: string;
  /** Where the promise comes from. */
  readonly source: string;
}

/** Everything that is promised so far; `requirements.test.ts` fails when no test cites one of them. */
export const requirements: readonly Requirement[] = [
  // Tiers and catalog
  {
    id: 'G1',
    sentence:
      'Every tool has a tier. Registration refuses booleans, non-integers, strings, NaN and values outside 0-2, and names that do not match [A-Za-z0-9_-]{1,64}.',
    source: 'Gate spec G1; ADR 0001, registration',
  },
  {
    id: 'G2',
    sentence:
      'ToolCatalog.extend registers all tools or none. A duplicate name is refused, as is one that differs only in case or "-"/"_" and one that is a property of every object.',
    source: 'Gate spec G2; ADR 0001, registration',
  },
  {
    id: 'G3',
    sentence:
      'Tier and effect stand in the spec annotation that tauTool writes, which is believed only for tools made in this process. A spec from outside loses its tau annotation and gets its tier from our own manifest or configuration; without an entry there it is not registered.',
    source: 'Gate spec G3; ADR 0001, amendment on annotations',
  },

  // Check
  {
    id: 'G4',
    sentence:
      'gate.check answers with a verdict: allowed with a ticket, refused with a closed reason and the text for the model, or pending. Tiers 0 and 1 need no approval. Every call of every tier emits exactly one tool_call event, from whoever ran or refused it.',
    source: 'Gate spec G4; ADR 0001, decision',
  },
  {
    id: 'G5',
    sentence:
      'The default approver rejects, and no approver that approves everything exists anywhere. ScriptedApprover answers from a script, records its requests, and rejects when the script runs out.',
    source: 'Gate spec G5; ADR 0001, decision',
  },
  {
    id: 'G6',
    sentence:
      'Everything fails closed: an unknown tool (with its exact text and an error event), an invalid tier, an approver that throws, returns no promise or answers anything but a decision, a timeout, a policy that throws, any exception inside the gate.',
    source: 'Gate spec G6; ADR 0001, fail closed',
  },
  {
    id: 'G7',
    sentence:
      'A refusal reaches the model as the error result of the tool, in the exact fixed English text whatever the UI language, with a reason given by the human on a second line.',
    source: 'Gate spec G7; ADR 0001, texts',
  },
  {
    id: 'G8',
    sentence:
      'Exemptions are consulted only for tier-2 calls to known tools and must return exactly true; one that throws does not exempt. addExemption returns its undo. An exempt call emits no approval event and its tool_call event says exempt.',
    source: 'Gate spec G8; ADR 0001, exemptions',
  },
  {
    id: 'G9',
    sentence:
      'Approvers that wait in the process get one question at a time per gate and conversation; parallel calls queue, other conversations do not wait, and parked questions do not queue.',
    source: 'Gate spec G9; ADR 0001, serialization',
  },
  {
    id: 'G10',
    sentence:
      'The timeout of the gate wins over that of the approver; with neither there is none. When time runs out the signal of the question fires, the decision is timeout, the model gets the refusal text and both events say timeout. Silence never approves.',
    source: 'Gate spec G10; ADR 0001, timeouts',
  },
  {
    id: 'G11',
    sentence:
      'What looks at a call cannot change it: arguments are checked to be plain JSON and deep-frozen once, and requests, exemptions, events and the body all get that same frozen object. Anything else is invalid_arguments before any question.',
    source: 'Gate spec G11; ADR 0001, what is approved is what runs',
  },

  // What is approved is what runs, once
  {
    id: 'G12',
    sentence:
      'A ticket is bound to the gate, the call, the conversation, the tool, its definition and the arguments. Digests are SHA-256 over RFC 8785 JSON of id, tool, tier, effect, arguments, definition and requester, and are computed only for calls that are asked about or stored.',
    source: 'Gate spec G12',
  },
  {
    id: 'G13',
    sentence:
      'The body is reached only by redeeming a ticket that matches what is about to run, at most once, atomically, and durably where there is a store; otherwise the call is recorded as an error with an error event and the body does not start. The order is lock, re-check cancellation, redeem, body, record.',
    source: 'Gate spec G13',
  },
  {
    id: 'G14',
    sentence:
      'A retry, a second resume, a second worker and a second call with the same model-chosen id each need their own ticket, so their own question.',
    source: 'Gate spec G14',
  },

  // Events, logging, language
  {
    id: 'G15',
    sentence:
      'Agent events are one discriminated union, delivered to any number of sinks; a sink that throws never changes a decision.',
    source: 'Gate spec G15',
  },
  {
    id: 'G16',
    sentence:
      'Log levels: tool_call of tier 0 at debug, of tiers 1 and 2 at info, unknown tools at warn, decisions at info, timeouts at warn, approver failures at error. Secrets are redacted by path in logs and audit, never in a question.',
    source: 'Gate spec G16; ADR 0001, logging',
  },
  {
    id: 'G17',
    sentence:
      'User-facing notices come from a message table in the UI language; English and Turkish are complete, and a key that is missing in one of them fails a test.',
    source: 'Gate spec G17; ADR 0001, amendment on texts',
  },

  // Terminal approver
  {
    id: 'G18',
    sentence:
      'The terminal shows the tool, the arguments as JSON with sorted keys and the effect on one line; everything that could rewrite, hide or push away the prompt is escaped visibly. What does not fit is paged, and only an answer after the last page counts.',
    source: 'Gate spec G18; ADR 0001, terminal prompt',
  },
  {
    id: 'G19',
    sentence:
      'Only y, yes, e and evet approve (any case, surrounding spaces ignored), whatever the UI language. End of input, Ctrl-C and everything else reject.',
    source: 'Gate spec G19; ADR 0001, terminal prompt',
  },
  {
    id: 'G20',
    sentence: 'A terminal question can be cancelled, and a cancelled one does not swallow the line that is typed next.',
    source: 'Gate spec G20; ADR 0001, timeouts',
  },

  // Guarded tools
  {
    id: 'S1',
    sentence:
      'tauTool makes a Strands tool from a Zod or JSON Schema input and a sync, async or streaming callback; guardTool guards any other Strands tool, whose inner object cannot be reached from the outside afterwards.',
    source: 'Strands spec S1',
  },
  {
    id: 'S2',
    sentence: 'tierOf and effectOf read a private record; the copy in the tool spec is for display and never trusted.',
    source: 'Strands spec S2',
  },
  {
    id: 'S3',
    sentence:
      'Input is parsed once, JSON Schema input too. guardTool parses with the Zod schema of an SDK zod tool or throws. A tool whose parsed input parses to something else is not guardable. Input that does not fit never reaches the human.',
    source: 'Strands spec S3',
  },
  { id: 'S4', sentence: 'The body gets the frozen, parsed object that was approved.', source: 'Strands spec S4' },

  // TierHook
  {
    id: 'S5',
    sentence:
      'TierHook refuses, fail closed, every call whose effective tool is not bound to its gate, except objects made by the bridge and the structured-output tool that the SDK itself added for this invocation. It never throws and never interrupts.',
    source: 'Strands spec S5',
  },
  {
    id: 'S6',
    sentence:
      'TierHook runs last of its order at Infinity; hooksBehindGate lists tool-call hooks that run after it, NaN orders included, and buildAgent throws ConfigError for them, for an unknown shape of the SDK and for a second copy of it.',
    source: 'Strands spec S6; ADR 0001, amendment on hook order',
  },
  {
    id: 'S7',
    sentence:
      'Refused calls appear in the events and in the result for the model like any other, with the exact texts. A call that ran differently from what was decided is recorded as an error with an error event.',
    source: 'Strands spec S7; ADR 0001, amendment on hook order',
  },

  // buildAgent and TauAgent
  {
    id: 'S8',
    sentence:
      'buildAgent wires catalog, gate, TierHook and agent. A tool without a tier is a ConfigError; a tool that a plugin brings stays refused and is not offered to the model, with one warning, unless guard names it.',
    source: 'Strands spec S8; ADR 0001, amendment on plugins',
  },
  {
    id: 'S9',
    sentence:
      'Physical tools never run at the same time: the executor is sequential and the gate locks leaf tier-2 bodies. An agent used as a tool does not hold the lock while its inner tools run.',
    source: 'Strands spec S9; ADR 0001, amendment on physical tools',
  },
  {
    id: 'S10',
    sentence:
      'TauAgent.stream yields turn events for one user turn. maxTurns counts model calls: the tools of the last allowed call still run, its answer is not cut, the next turn starts fresh, and hitting the limit ends the turn with a notice and a turn_limit event.',
    source: 'Strands spec S10; ADR 0001, loop guard',
  },
  {
    id: 'S11',
    sentence:
      'Leaving the stream early cancels the agent and nothing runs afterwards; an approval that arrives after cancellation does not start the tool.',
    source: 'Strands spec S11',
  },
  {
    id: 'S12',
    sentence:
      'Model errors, throttling, context overflow, max tokens and cancellation each end the turn with their notice and leave a history that the next turn can use.',
    source: 'Strands spec S12',
  },
  {
    id: 'S13',
    sentence:
      "A foreign interrupt is refused within the same turn, with a notice and an error event, on the turn's own remaining budget; when refusals do not clear it the interrupt state is left and the history repaired. A restored session in that state is cleared at its first turn.",
    source: 'Strands spec S13; ADR 0001, amendment on interrupts',
  },
  {
    id: 'S14',
    sentence:
      'Interrupt ids and answers from outside pass own-property tests before they reach the SDK; an id of __proto__ changes nothing.',
    source: 'Strands spec S14',
  },
  {
    id: 'S15',
    sentence:
      'A sub-agent is guarded like any tool and its own tools are bound to the same gate, else ConfigError. It inherits turn and token budgets, and its questions reach the same human.',
    source: 'Strands spec S15',
  },

  // Parking
  {
    id: 'S16',
    sentence:
      'A parked question raises an interrupt that is only a wake-up. On resume the guard finds its own record, runs the stored arguments after checking their digest, and believes a decision only there. All tier-2 calls of a batch get their questions when the first parks.',
    source: 'Strands spec S16',
  },
  {
    id: 'S17',
    sentence:
      'An approval is consumed durably before the body starts. After a crash the outcome is unknown: it is not run again, the model and the human are told, and a human can order a new attempt. Tier-1 calls of a durable conversation are journaled the same way.',
    source: 'Strands spec S17',
  },
  {
    id: 'S18',
    sentence:
      'A redefined tool, edited stored arguments or a changed policy make an old approval void and ask anew; a yes that is not used within useWithinSeconds lapses and is asked again.',
    source: 'Strands spec S18',
  },
  {
    id: 'S19',
    sentence:
      "An unbound guarded tool refuses to run; buildAgent registers copies bound to its gate, and TierHook refuses another gate's. The guard finds its run by the invocation state that the run itself made; without one the call is direct, cannot park, and is refused on an agent served by the bridge.",
    source: 'Strands spec S19',
  },
  {
    id: 'S20',
    sentence:
      'An agent used as a tool is one object for all conversations. It does one call at a time, first or going on after an answer; the others wait in order, abortably, and a call that could only wait for itself is refused. It begins each call from its own start and is put back to it, so nothing of one call is left for the next; one that keeps its context serves a single conversation.',
    source: 'SECURITY.md, conversations are kept apart',
  },
  {
    id: 'S21',
    sentence:
      'A body waits 10 seconds for its reader to take one report of its progress; then it goes on, and reports are dropped, with one warning, until the reader takes again. A slow reader stops no body, and the result is never dropped.',
    source: 'SECURITY.md, floods',
  },

  ...approvalRequirements,
  ...toolFilterRequirements,
  ...bridgeRequirements,
];
