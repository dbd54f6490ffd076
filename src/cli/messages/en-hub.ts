/** What the commands around the hub say in English. */
export const enHub = {
  'command.serve': 'Serve the agent, its approvals and its page on one address of this machine.',
  'command.approvals': 'List, show, approve or reject questions of the running hub.',
  'command.token': 'Make, list or revoke bearer tokens of the hub.',
  'command.logout': 'End all page sessions of a principal, and its unused links.',
  'logout.done': "Page sessions of '{principal}' ended: {count}.",
  'command.login_link': 'Print a link that opens the page once, within ten minutes.',

  'option.host': 'address to listen on (default: [serve] host, else 127.0.0.1)',
  'option.port': 'port to listen on (default: [serve] port, else 4173; 0 takes a free one)',
  'option.status': 'only approvals of this status, or all (default: pending)',
  'option.digest': 'digest of the question that was shown; needed where nobody can be asked',
  'option.reason': 'why not; the model reads it',
  'option.edit': 'approve these arguments instead',
  'option.url':
    "a hub at another address, such as your own program's, instead of --data; its token is read from TAU_TOKEN",
  'option.principal': 'for whom (default: the first of [[principals]])',
  'option.scopes': 'what the token may do (default: all that its principal may)',

  'config.twice': '{where}: {key} {value} is there twice; rename one.',
  'config.nobody_decides':
    '{where}: with requester_decides = false and no [[policy.deciders]] nobody could ever approve. Add one.',
  'config.agent_decides':
    '{where}: principal \'{id}\' is an agent and never decides; take "decide" out of its scopes, or change its kind.',
  'config.one_of': '{where}: a [[policy.deciders]] has either principal or role; give one of them.',
  'config.no_principal': '{where}: [[policy.deciders]] principal is {value}; give one of [[principals]]: {known}.',

  'expected.serve.host': 'an address to listen on, such as "127.0.0.1"',
  'expected.serve.port': 'a whole number from 0 to 65535',
  'expected.serve.hosts': 'a list of host names that the hub answers to, such as ["hub.local"]',
  'expected.serve.public_url': 'the address that people open, without a path, such as "https://tau.example.com"',
  'expected.store.kind': '"sqlite" or "memory"',
  'expected.principals.id': 'a text, the name of the account',
  'expected.principals.kind': '"person", "service" or "agent"',
  'expected.principals.roles': 'a list of texts, such as ["auditor"]',
  'expected.principals.scopes': 'a list of "run" and "decide"',
  'expected.policy.requester_decides': 'true or false',
  'expected.policy.deciders': 'tables: [[policy.deciders]]',
  'expected.policy.deciders.principal': 'the id of one of [[principals]]',
  'expected.policy.deciders.role': 'a role, such as "family"',
  'expected.policy.deciders.tiers': 'a list of tiers, such as [2]',
  'expected.policy.deciders.tools': 'a list of tool names, such as ["unlock_door"]',
  'expected.audit.redact': 'a list of argument names or paths, such as ["password", "card.number"]',
  'expected.audit.retention_days': 'a number of days above 0, or leave it out to keep everything',
  'expected.inbox.timeout_seconds': 'a number of seconds above 0, or leave it out to wait without limit',

  'error.own_file': '{path} cannot be used: {problem}. Give another folder with --data DIR or TAU_DATA.',

  'hub.not_running':
    "No hub runs for {path}. '{tau} serve' starts one. Where your own program has the store open, do not start it: ask your program's HTTP API, with --url URL where it has a hub.",
  'hub.no_token': 'There is no token in {path}; give one in TAU_TOKEN.',
  'hub.no_token_for_url':
    'There is no token for {url}: set TAU_TOKEN to one of that hub (hub.tokens.create in your program). It is never an argument.',
  'hub.unauthorized':
    'The hub at {url} does not know the token. Is TAU_TOKEN set to one of another hub, or was it revoked?',
  'hub.no_answer_at': 'Nothing answers at {url}. Is the hub running, and is that where it listens?',
  'hub.no_hub_at': 'What answers at {url} is no tau hub; it was sent no token.',
  'hub.url':
    '--url needs the address of a hub without a path, such as http://127.0.0.1:8000 or https://tau.example.com.',
  'hub.url_user_info':
    '--url holds a user name or a password, which is not repeated here; the token goes into TAU_TOKEN.',
  'hub.url_plain':
    '--url is plain HTTP to {host}: everybody on the way could read the token. Use https, or an address of this machine such as 127.0.0.1.',
  'hub.url_or_data': 'Give either --url or --data: the hub at an address, or the one of a folder.',
  'hub.no_answer': "The hub at {url} does not answer. Is '{tau} serve' still running?",
  'hub.strange_answer': 'What answers at {url} is no hub of this version (status {status}).',
  'hub.elsewhere': 'The data folder names {url}, which is no address of this machine or of the configuration.',
  'hub.foreign': "What answers at {url} is not the hub of this folder; it was sent nothing. '{tau} serve' starts one.",
  'hub.store_in_memory':
    'With [store] kind = "memory" the accounts are inside the running hub and cannot be changed from here; use "sqlite".',
  'hub.store_locked': "Another process holds the hub's store; nothing was changed. Try again soon.",
  'hub.store_full': "No room is left for the hub's store; nothing was changed. Free some disk space, then try again.",
  'hub.store_readonly': "The hub's store cannot be written. Give the hub's user write access to its data folder.",
  'hub.store_corrupt':
    "The hub's store is damaged. Stop the hub and put a backup in its place; its log says what is damaged.",
  'hub.store_replaced':
    "The hub's store was removed or replaced while the hub ran; it writes nothing any more. Start the hub again.",
  'hub.store_closed': "The hub's store is closed; the hub is stopping. Start it again.",
  'hub.store_failed': "The hub's store failed; nothing was changed. The hub's log says why.",

  'serve.ready': 'tau {version} is running. Open this once, as {principal}:',
  'serve.link_hint': "The link works once, for ten minutes; '{tau} login-link' makes another. Ctrl-C ends.",
  'serve.stopping': 'Stopping; running tools may finish. Ctrl-C again ends at once.',
  'serve.port': "--port is '{value}'; give a whole number from 0 to 65535.",
  'serve.port_in_use': 'Port {port} of {host} is in use. Give another with --port, or 0 for a free one.',
  'serve.running':
    'A hub runs for this folder already: {url} (process {pid}). End it, or give another folder with --data.',
  'serve.locked': 'A hub that is starting or stopping has {path}. Wait for it, or give another folder with --data.',
  'serve.open':
    'WARNING: the hub listens on {host}: everybody in the network can reach it, unencrypted. Put a reverse proxy with HTTPS before it, or use 127.0.0.1.',
  'serve.token_weak': 'TAU_TOKEN is no secret; give at least {length} random letters without spaces.',

  'approvals.none': 'None.',
  'approvals.id': 'Id',
  'approvals.status': 'Status',
  'approvals.requester': 'Requested by',
  'approvals.digest': 'Digest',
  'approvals.asked_at': 'Asked',
  'approvals.expires_at': 'Expires',
  'approvals.decision': 'Decision',
  'approvals.decided_by': '{decision} by {by} ({channel}), {at}',
  'approvals.reason': 'Reason',
  'approvals.outcome': 'Outcome',
  'approvals.closed': 'Closed because',
  'approvals.edit_of': 'Edit of',
  'approvals.approved': 'Approved.',
  'approvals.rejected': 'Rejected.',
  'approvals.asked_again':
    'Not approved yet: the edit changed more than was typed. Look at the question below and answer it.',
  'approvals.too_late': 'Your answer did not count. It was decided before: {decision} by {by} ({channel}), {at}.',
  'approvals.too_late_closed': 'Your answer did not count. The question is closed: {status} ({because}).',
  'approvals.needs_digest':
    'Nobody can be asked here. Look at the question first ({tau} approvals show ID) and give its digest: --digest HEX.',
  'approvals.other_digest':
    'The open question is not the one that was shown. Look at it again: {tau} approvals show ID.',
  'approvals.digest_format':
    "--digest is '{value}'; give all 64 hexadecimal digits, as '{tau} approvals show ID' prints them behind Digest.",
  'approvals.not_found':
    "There is no question with the id '{id}' that this token may see. Give the whole id, as '{tau} approvals list' prints it.",
  'approvals.edit_invalid': 'The edit does not fit the tool {tool}: {problem}. Nothing was decided; correct --edit.',
  'approvals.before_edit':
    'The question as it is. What you would approve instead is below it. If what it does depends on the arguments, you are asked again:',
  'approvals.effect_before_edit': 'Said before the edit: {effect}',
  'approvals.edit_json': 'The edited arguments are not JSON: {problem}. Put them in single quotes.',

  'token.created': 'Token {id} of {principal} ({scopes}). It is shown only now:',
  'token.none': 'There are no tokens.',
  'token.revoked': 'Token {id} is worthless now.',
  'token.unknown': 'There is no token {id}.',
  'token.scopes': "--scopes names '{value}'; this principal may have: {known}.",
  'token.no_principal': "There is no principal '{id}'. There are: {known}.",
} as const;
