import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TerminalRig } from './rig.ts';

let rig: TerminalRig;
beforeAll(async () => {
  rig = await TerminalRig.make();
});
afterAll(() => rig.close());

describe('a command that only prints text, on a terminal', () => {
  it.each([
    ['--help', 0, 'Start here:'],
    ['', 2, 'Start here:'],
    ['bild', 2, 'Did you mean build?'],
    ['schema site', 0, '"properties"'],
    ['schema lock', 2, 'Allowed choices'],
    ['completion bash', 0, 'complete -o default'],
    ['completion tcsh', 2, 'Allowed choices'],
  ])('landfall %s ends', async (args, status, text) => {
    const end = await rig.run(...args.split(' ').filter((word) => word !== ''));
    expect(end.text).toContain(text);
    expect(end.status).toBe(status);
  });
});
