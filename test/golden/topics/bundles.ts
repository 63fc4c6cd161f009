import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CommandUnknownOpts as Command } from 'commander';
import { formatKeyId, publicKeyPem } from '#contract/trust/keys.ts';
import type { CommandContext } from '../../../builder/commands/context.ts';
import { diffCommand } from '../../../builder/commands/diff.ts';
import { inspectCommand } from '../../../builder/commands/inspect.ts';
import { verifyCommand } from '../../../builder/commands/verify.ts';
import { runCommand, terminalIn } from '../../builder/commands/terminal.ts';
import { makeBundle } from '../../simulator/bundle.ts';
import { releaseKey } from '../../simulator/keys.ts';
import { type Section, sections, type Topic } from '../golden.ts';
import { release } from '../sites.ts';

/** The key of the simulator is random: names take the place of its values. */
const { public: key } = releaseKey;

/** What commands print about bundles. */
export const bundles: Topic = async () => {
  const folder = mkdtempSync(join(tmpdir(), 'landfall-golden-'));
  try {
    const { images, models } = release;
    const own = { keys: { release: [key.spki], recovery: null } };
    const changes = [{}, { version: '1.3.0', models, images: images.slice(1) }];
    for (const [index, change] of changes.entries()) {
      const bundle = makeBundle({
        release: (honest) => ({ ...honest, ...own, images, ...change }),
      });
      writeFileSync(join(folder, `${index}.tar`), bundle);
    }
    writeFileSync(join(folder, 'release.pub'), publicKeyPem(key));
    return new Map([
      ['inspect.txt', sections(await outputs(folder, inspectCommand, ['0.tar']))],
      [
        'verify.txt',
        sections(await outputs(folder, verifyCommand, ['0.tar', '--key', 'release.pub'])),
      ],
      ['diff.txt', sections(await outputs(folder, diffCommand, ['0.tar', '1.tar']))],
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

type MakeCommand = (context: CommandContext) => Command;

/** Returns what a command prints as text, and with --json. */
async function outputs(
  folder: string,
  command: MakeCommand,
  args: readonly string[],
): Promise<Section[]> {
  const digests = await manifestsIn(folder);
  const found: Section[] = [];
  for (const flags of [[], ['--json']]) {
    const terminal = terminalIn(folder);
    await runCommand(command, terminal, ...args, ...flags);
    const call = [command(terminal.context).name(), ...args, ...flags].join(' ');
    found.push([`landfall ${call}`, steady(terminal.out() + terminal.err(), digests)]);
  }
  return found;
}

/** Returns the SHA-256 of the manifest of each bundle, which contains random keys. */
async function manifestsIn(folder: string): Promise<string[]> {
  const digests: string[] = [];
  for (const name of ['0.tar', '1.tar']) {
    const terminal = terminalIn(folder);
    await runCommand(inspectCommand, terminal, name, '--json');
    digests.push(JSON.parse(terminal.out()).manifestSha256);
  }
  return digests;
}

function steady(text: string, digests: readonly string[]): string {
  const named = text
    .replaceAll(key.id, 'KEY-ID')
    .replaceAll(key.spki, 'KEY')
    .replaceAll(formatKeyId(key.id), 'KEY ID');
  return digests.reduce(
    (rest, digest, index) =>
      rest
        .replaceAll(digest, `MANIFEST-${index}`)
        .replaceAll(digest.slice(0, 12), `MANIFEST-${index}`.padEnd(12)),
    named,
  );
}
