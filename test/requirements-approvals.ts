import type { Requirement } from './requirements.ts';

/** What is promised about approvals that outlive the process: store, inbox, channels, hub. */
export const approvalRequirements: readonly Requirement[] = [
  // Store
  {
    id: 'P1',
    sentence:
      'One small store port (create, get, list, decide, consume, expire, watch) with compare-and-set steps; one contract suite runs over every implementation. SQLite waits for locks, is durable before a step is told, and its migrations only go forward.',
    source: 'Approvals spec P1',
  },
  {
    id: 'P2',
    sentence:
      'An approval goes pending to approved, rejected, timeout, cancelled or void; approved to consumed, void, cancelled or expired; consumed to done, failed or unknown. Steps are atomic, an illegal one is an error value, the first valid answer wins and a later one learns who won. An unused yes lapses. The requester may withdraw a question; a person may order one new attempt of an unknown approval.',
    source: 'Approvals spec P2',
  },
  {
    id: 'P3',
    sentence:
      'A record holds nonce, conversation, run, requester, tool, tier, effect, arguments with digest, definition, policy version, deliveries with the digest of what was shown, the decision with who, where, when, how long and why, and the outcome.',
    source: 'Approvals spec P3',
  },
  {
    id: 'P4',
    sentence: 'The same store keeps the Strands sessions and the audit log, so that one file is the whole state.',
    source: 'Approvals spec P4; ADR 0006',
  },
  {
    id: 'P5',
    sentence:
      'Every agent event is appended to one chain of hashes. A verification finds an edited, missing or reordered row and says where, and with a head that was kept elsewhere also a cut tail; an export is JSON lines; a prune leaves the chain verifiable. Secrets are redacted before they reach it, by configured paths, and replaced by an HMAC under an install key so that equal values can still be compared.',
    source: 'Approvals spec P5; ADR 0006',
  },

  // Inbox
  {
    id: 'P6',
    sentence:
      'The inbox stores a question, delivers it to every channel that reaches somebody who may decide, and closes it everywhere when it is decided. A failed delivery is recorded and stops no other; when nobody can be reached the question is refused at once. Its timeout is that of the gate, else the longest of its channels, none if one has none.',
    source: 'Approvals spec P6; ADR 0007',
  },
  {
    id: 'P7',
    sentence:
      'The policy says who may decide, by tier, tool and argument; by default the requester. A new attempt is ordered by a person. Never a principal of kind agent, never an agent-to-agent transport, never a GET link.',
    source: 'Approvals spec P7',
  },
  {
    id: 'P8',
    sentence:
      'Nothing is approvable until all of it could be shown on that channel; what does not fit comes in parts, and only an answer after the last part counts.',
    source: 'Approvals spec P8',
  },
  {
    id: 'P9',
    sentence:
      'Text that the model wrote stands in a visibly marked area of its own, escaped, apart from what tau states (tool, tier, effect, digest, requester).',
    source: 'Approvals spec P9',
  },
  {
    id: 'P10',
    sentence:
      'A rejection may carry a reason that the model reads, an approval edited arguments of which the model is told. An edit voids the old question and is a new one, through schema, tier and policy; it is answered in the same step only if the tier is unchanged, the effect is a fixed text and parsing changes nothing.',
    source: 'Approvals spec P10',
  },
  {
    id: 'P11',
    sentence:
      'Typing meant for something else never approves: on a terminal earlier input is drained and a single stray key decides nothing; without one each question takes the next unread line through one interface for the whole session.',
    source: 'Approvals spec P11',
  },

  // Channels
  {
    id: 'P12',
    sentence: 'The terminal channel works without a TTY (pipes) and answers end of input with a refusal.',
    source: 'Approvals spec P12',
  },
  {
    id: 'P15',
    sentence:
      'The hub serves a page: pending questions live, one in full, decide, history, audit, a chat. Same origin, strict CSP, safe from forged requests, text nodes only; it works on a phone, with a keyboard and with a screen reader.',
    source: 'Approvals spec P15',
  },
  {
    id: 'P17',
    sentence:
      'tau approvals list, show, approve and reject, with --json everywhere and exit codes that scripts can use.',
    source: 'Approvals spec P17',
  },

  // Hub
  {
    id: 'P18',
    sentence:
      'tau serve runs AG-UI, HTTP API and page in one process: SQLite in the data folder, loopback only, a token made at first start, a validated tau.toml. /ping says alive, /ready that the store answers.',
    source: 'Approvals spec P18; ADR 0008',
  },
  {
    id: 'P19',
    sentence:
      'Every entry point authenticates but those listed as open. Bearer tokens with scopes, stored hashed and compared in constant time; a session cookie for the page. A principal sees and decides only what is theirs unless the policy says otherwise; a wrong id and a forbidden one are answered alike.',
    source: 'Approvals spec P19; ADR 0008',
  },
  {
    id: 'P20',
    sentence:
      'A decision taken anywhere resumes the parked run even when no client is connected; a client that comes back gets the whole history.',
    source: 'Approvals spec P20; ADR 0008',
  },
  {
    id: 'P22',
    sentence: 'Shutdown is clean: no new runs, running bodies finish or are recorded, questions stay pending.',
    source: 'Approvals spec P22; ADR 0008',
  },
];
