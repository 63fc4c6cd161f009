import { once } from 'node:events';
import { existsSync, linkSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { socketState, takeSocket } from '../../../../appliance/host/lock/lock-socket.ts';

const folder = mkdtempSync(join(tmpdir(), 'landfall-lock-'));
let count = 0;
let path: string;

beforeEach(() => {
  count += 1;
  path = join(folder, `${count}.sock`);
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Takes the socket many times at once; returns what was taken. */
async function takeAtOnce(): Promise<Server[]> {
  const tries = await Promise.all(Array.from({ length: 20 }, () => takeSocket(path)));
  return tries.filter((server) => server !== undefined);
}

/** Returns the files whose paths start with this path. */
function filesOf(start: string): string[] {
  const files = readdirSync(folder).map((name) => join(folder, name));
  return files.filter((file) => file.startsWith(start));
}

describe('the socket of a lock', () => {
  it('is taken once, and leaves no other file', async () => {
    expect(await socketState(path)).toBe('absent');
    const taken = await takeAtOnce();
    expect(taken).toHaveLength(1);
    expect(filesOf(path)).toEqual([path]);
    expect(await socketState(path)).toBe('held');
    expect(await takeSocket(path)).toBeUndefined();
    taken[0]?.close();
  });

  // Regression: the second of three removed the new socket of the first, and the third took it too.
  it('is taken once after its process was killed', async () => {
    for (let round = 0; round < 50; round += 1) {
      await leaveStale();
      expect(await socketState(path)).toBe('stale');
      const taken = await takeAtOnce();
      expect(taken).toHaveLength(1);
      expect(await socketState(path)).toBe('held');
      expect(filesOf(path)).toEqual([path]);
      taken[0]?.close();
    }
  });
});

/** Leaves the socket that a killed process would leave. */
async function leaveStale(): Promise<void> {
  if (existsSync(path)) rmSync(path);
  const server = createServer().listen(`${path}.first`);
  await once(server, 'listening');
  // The end of the server removes only the first name.
  linkSync(`${path}.first`, path);
  server.close();
  await once(server, 'close');
}
