import { describe, expect, it } from 'vitest';
import { memoryCheck } from '../../../../appliance/doctor/checks/memory.ts';
import { TemporaryHost } from '../../temporary-host.ts';
import { containers, look } from '../look.ts';

describe('the check of memory', () => {
  it('finds a container that the kernel killed', async () => {
    const parts = [{ name: 'landfall-engine', oom: true }, { name: 'landfall-ui' }];
    expect(await look(memoryCheck, TemporaryHost.with({}, containers(...parts)))).toEqual([
      [
        'OUT_OF_MEMORY',
        'landfall-engine',
        'the container landfall-engine was killed because it exceeded its memory',
      ],
    ]);
  });

  it('finds nothing without containers', async () => {
    expect(await look(memoryCheck, TemporaryHost.with({}, { 'docker ps': '' }))).toEqual([]);
  });
});
