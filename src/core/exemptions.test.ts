import { describe, expect, it } from 'vitest';
import { call, unlock, world } from '../../test/gate-fixture.ts';

describe('[G8] exemptions', () => {
  it('skip the question, not the record: no approval event, and the tool_call event says exempt', async () => {
    const { gate, approver, of, ran, body } = world();
    gate.addExemption(() => true);
    expect(await gate.run(unlock(), body)).toMatchObject({ status: 'success', approval: 'exempt' });
    expect([approver.requests, of('approval')]).toEqual([[], []]);
    expect(of('tool_call')).toMatchObject([{ tool: 'unlock_door', tier: 2, approval: 'exempt', status: 'success' }]);
    expect(ran).toEqual([{ door: 'front' }]);
  });

  it.each([[1], ['true'], [{}], [[]], [undefined], [null], [Object(true)], [Promise.resolve(true)], [() => true]])(
    'must answer exactly true; %s does not exempt',
    async (answer) => {
      const { gate, approver } = world();
      gate.addExemption((() => answer) as never);
      expect(await gate.check(unlock())).toMatchObject({ allowed: false, approval: 'rejected' });
      expect(approver.requests).toHaveLength(1);
    },
  );

  it('one that throws does not exempt: the approver is asked, the others still count, and it is told', async () => {
    const { gate, approver, of } = world(['approved']);
    gate.addExemption(() => {
      throw new Error('broken routine');
    });
    expect(await gate.check(unlock())).toMatchObject({ approval: 'approved' });
    expect(approver.requests).toHaveLength(1);
    expect(of('error')).toMatchObject([
      { where: 'exemption', message: 'an exemption failed', error: 'broken routine', tool: 'unlock_door' },
    ]);
    gate.addExemption(() => true);
    expect(await gate.check(unlock())).toMatchObject({ approval: 'exempt' });
    expect(approver.requests).toHaveLength(1);
  });

  it('are asked only about tier-2 calls to known tools that this caller sees, with valid arguments', async () => {
    const asked: string[] = [];
    const { gate } = world();
    gate.addExemption((tool) => {
      asked.push(tool);
      return true;
    });
    await gate.check(call('read_lock', {}));
    await gate.check(call('add_note', {}));
    await gate.check(call('open_window', {}));
    await gate.check(unlock(), { visible: new Set() });
    await gate.check(call('unlock_door', { door: Number.NaN }));
    expect(asked).toEqual([]);
    await gate.check(unlock());
    expect(asked).toEqual(['unlock_door']);
  });

  it('get the frozen arguments and origin, and cannot change what runs', async () => {
    const { gate, ran, body } = world();
    gate.addExemption((_tool, args, origin) => {
      expect(() => Object.assign(args ?? {}, { door: 'back' })).toThrow(TypeError);
      expect(() => Object.assign(origin, { kind: 'routine' })).toThrow(TypeError);
      expect(origin).toEqual({ kind: 'model', conversation: 'c1' });
      return true;
    });
    await gate.run(unlock(), body);
    expect(ran).toEqual([{ door: 'front' }]);
  });

  it('end with their undo, each on its own', async () => {
    const { gate } = world();
    const exempt = (): boolean => true;
    const undoFirst = gate.addExemption(exempt);
    const undoSecond = gate.addExemption(exempt);
    undoFirst();
    undoFirst();
    expect(await gate.check(unlock())).toMatchObject({ approval: 'exempt' });
    undoSecond();
    expect(await gate.check(unlock())).toMatchObject({ approval: 'rejected' });
  });
});
