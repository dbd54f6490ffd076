export type { HookIdentity, HubAuthenticate } from './auth/identify.ts';
export { LoginLinks, loginUrl } from './auth/login-links.ts';
export { AUDITOR, type HubPrincipal, Principals } from './auth/principals.ts';
export { isProof } from './auth/proof.ts';
export type { Scope } from './auth/scopes.ts';
export { type NewToken, type TokenInfo, Tokens } from './auth/tokens.ts';
export { createHub, DEFAULT_PORT, type Hub } from './hub.ts';
export type { HubOptions, PageFile, SessionStorage } from './options.ts';
