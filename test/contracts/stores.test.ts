import { MemoryApprovalStore } from 'strands-tau/stores/memory';
import { storeContract } from 'strands-tau/testing';
import { describe, it } from 'vitest';

describe('[P1, P2, P3] every approval store keeps the contract', () => {
  storeContract('MemoryApprovalStore', () => new MemoryApprovalStore(), { describe, it });
});
