import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { landfallProgram } from '../../builder/bin/program.ts';
import { type ChannelLab, channelLab } from '../builder/commands/channel/channel-lab.ts';
import { terminalIn } from '../builder/commands/terminal.ts';
import { commandLinesOf } from './command-lines.ts';

/** The commands of a page for maintainers, in its order; those of a server have sudo. */
const commandsOf = (page: string) =>
  commandLinesOf(page)
    .filter(({ words, complete, sudo }) => words[0] === 'landfall' && complete && !sudo)
    .map(({ words }) => words.slice(1).join(' '));

describe.each(['docs/keys.md', 'docs/zh/keys.md'])('the commands of %s', (page) => {
  let lab: ChannelLab;
  beforeAll(async () => {
    lab = await channelLab();
    // The page creates the keys.
    for (const name of ['release.key', 'release.pub']) await rm(join(lab.folder, name));
    await lab.channel('add', 'v1.0.0');
  });
  afterAll(() => rm(lab.folder, { recursive: true }));

  it.each(commandsOf(page))('runs in the order of the page: landfall %s', async (line) => {
    const { context } = terminalIn(lab.folder, { LANDFALL_KEY_PASSPHRASE: 'open sesame' });
    const ran = landfallProgram(context).parseAsync(line.split(' '), { from: 'user' });
    await expect(ran).resolves.toBeDefined();
  });

  it('leave a rotation of the keys and a channel that the new key signed', async () => {
    for (const path of ['trust/1.json', 'trust/1.json.sig', 'stable/channel.json.sig']) {
      expect(existsSync(join(lab.folder, path))).toBe(true);
    }
    expect(await lab.channel('show')).toContain('serial 1, rotation 1 of the keys');
  });
});
