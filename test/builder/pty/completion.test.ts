import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { landfallProgram } from '../../../builder/bin/program.ts';
import { inTerminal, keys } from '../../pty/terminal.ts';
import { terminalIn } from '../commands/terminal.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'landfall-pty-completion-'));
  for (const name of ['appliance.yaml', 'arms.tar', 'hetzner.txt']) {
    await writeFile(join(folder, name), '');
  }
  const { context, out } = terminalIn(folder);
  await landfallProgram(context).parseAsync(['completion', 'bash'], { from: 'user' });
  const shows = 'landfall() { printf "words:"; printf "<%s>" "$@"; echo; }';
  await writeFile(join(folder, 'rc'), `${out()}\nPS1='ready '\n${shows}\n`);
});
afterAll(() => rm(folder, { recursive: true }));

/** Typed text before a tab, and the resulting arguments in bash. */
const lines: ReadonlyArray<readonly [typed: string, words: string]> = [
  ['build --arch=am', '<build><--arch=amd64>'],
  ['build --arch ar', '<build><--arch><arm64>'],
  ['build --config ap', '<build><--config><appliance.yaml>'],
  ['build --config=ap', '<build><--config=appliance.yaml>'],
  ['build --without ap', '<build><--without><ap>'],
  ['lock --update ap', '<lock><--update><ap>'],
  ['lock --update=ap', '<lock><--update=ap>'],
  ['user-data --provider he', '<user-data><--provider><hetzner>'],
  ['user-data --release x.tar ar', '<user-data><--release><x.tar><arms.tar>'],
  ['verify ar', '<verify><arms.tar>'],
  ['schema ap', '<schema><appliance>'],
  ['keygen ap', '<keygen><ap>'],
];

describe('completion in an interactive bash', () => {
  it('offers values, and files for file arguments', async () => {
    const run = inTerminal(['bash', '--noprofile', '--rcfile', 'rc', '-i'], { cwd: folder });
    for (const [typed, words] of lines) {
      await run.shows('ready ');
      run.type(`landfall ${typed}${keys.tab}${keys.enter}`);
      await run.shows('words:');
      await run.shows(`${words}\n`);
    }
    await run.shows('ready ');
    run.type('exit\r');
    expect((await run.end()).status).toBe(0);
  });
});
