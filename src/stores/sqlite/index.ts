export type { Pruned, PruneOptions } from './prune.ts';
export { SqliteStore, type SqliteStoreOptions } from './sqlite-store.ts';
