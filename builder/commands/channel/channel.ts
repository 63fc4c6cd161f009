import { readFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { Command, Option } from 'commander';
import type { OptionsOf } from '#cli/options-of.ts';
import type { Channel, ChannelRelease } from '#contract/channel/channel.ts';
import { formatTable } from '#contract/text/table.ts';
import { orFileError } from '#files/file-error.ts';
import type { CommandContext } from '../context.ts';

const example = `
Example:
  landfall channel add dist/v1.1.0 --notes notes.md --security moderate
  landfall channel sign --key release.key
  landfall upload stable --to s3://my-bucket/landfall/stable

A channel tells servers which releases exist. Its folder is beside the folders of the releases, and a
server has its URL in \`updates.channels\`. A change takes effect when the channel is signed and uploaded.
Sign it again within 60 days, even without a change.
`;

/** `landfall channel`: the list of releases that servers learn updates from. */
export function channelCommand(context: CommandContext) {
  return new Command('channel')
    .description('maintain the list of releases from which servers learn of updates')
    .addCommand(
      subcommand('add', 'add the bundles of a release folder')
        .argument(
          '<source>',
          'output folder of `landfall build`, named as on the web: v1.1.0; or a channel.json',
        )
        .option('--notes <file>', 'text for administrators, at most 4 kB')
        .addOption(
          new Option('--security <severity>', 'the most severe security problem that it solves')
            .choices(['none', 'moderate', 'critical'])
            .default('none'),
        )
        .action((source, flags) => add(context, source, flags)),
    )
    .addCommand(
      subcommand('withdraw', 'offer a release to no server, and tell those that run it')
        .argument('<version>', 'version of the release')
        .requiredOption('--reason <text>', 'why, for their administrators')
        .action((version, flags) => withdraw(context, version, flags)),
    )
    .addCommand(
      subcommand('remove', 'drop an old release, to make room')
        .argument('<version>', 'version of the release')
        .action((version, flags) => remove(context, version, flags)),
    )
    .addCommand(
      subcommand('sign', 'sign the channel, with the next serial, for 60 days')
        .requiredOption('--key <source>', 'private release key: a file, env:NAME, or -')
        .action((flags) => sign(context, flags)),
    )
    .addCommand(
      subcommand('show', 'show the releases of the channel').action((flags) =>
        show(context, flags),
      ),
    )
    .addHelpText('after', example);
}

const examples = {
  add: 'landfall channel add dist/v1.1.0 --notes notes.md',
  withdraw: 'landfall channel withdraw 1.0.1 --reason "It loses uploads."',
  remove: 'landfall channel remove 0.9.0',
  sign: 'landfall channel sign --key release.key',
  show: 'landfall channel show --json',
};

function subcommand(name: keyof typeof examples, description: string) {
  return new Command(name)
    .description(description)
    .addHelpText('after', `\nExample:\n  ${examples[name]}\n`)
    .option('--channel <folder>', 'folder of the channel, named after it', 'stable')
    .option('--json', 'print the channel as JSON');
}

type ChannelFlags = OptionsOf<typeof subcommand>;

interface AddFlags extends ChannelFlags {
  readonly notes?: string;
  readonly security: ChannelRelease['security'];
}

/** Adds a release. @throws LandfallError FILE_…, BUNDLE_…, CHANNEL_INVALID, USAGE */
async function add(context: CommandContext, source: string, flags: AddFlags): Promise<void> {
  const { readChannel, readChannelFile, writeUnsigned } = await import(
    '../../deliver/channel/channel-folder.ts'
  );
  const { addChannel, addRelease } = await import('../../deliver/channel/edit-channel.ts');
  const folder = resolve(context.cwd, flags.channel);
  const notesFile = flags.notes === undefined ? undefined : resolve(context.cwd, flags.notes);
  const notes = notesFile ? await orFileError(notesFile, readFile(notesFile, 'utf8')) : '';
  const news = { notes: notes.replace(/\r\n?/g, '\n').trimEnd(), security: flags.security };
  const before = await readChannel(folder);
  const path = resolve(context.cwd, source);
  const channel = path.endsWith('.json')
    ? addChannel(before, basename(folder), await readChannelFile(path), news)
    : await addRelease(before, basename(folder), path, news);
  await writeUnsigned(folder, channel);
  await print(context, flags, channel);
}

/** Withdraws a release. @throws LandfallError USAGE, FILE_…, CHANNEL_INVALID */
async function withdraw(
  context: CommandContext,
  version: string,
  { reason, ...flags }: ChannelFlags & { readonly reason: string },
): Promise<void> {
  const { existingChannel, writeUnsigned } = await import(
    '../../deliver/channel/channel-folder.ts'
  );
  const { withdrawRelease } = await import('../../deliver/channel/edit-channel.ts');
  const folder = resolve(context.cwd, flags.channel);
  const channel = withdrawRelease(await existingChannel(folder), version, reason);
  await writeUnsigned(folder, channel);
  await print(context, flags, channel);
}

/** Removes a release. @throws LandfallError USAGE, FILE_…, CHANNEL_INVALID */
async function remove(
  context: CommandContext,
  version: string,
  flags: ChannelFlags,
): Promise<void> {
  const { existingChannel, writeUnsigned } = await import(
    '../../deliver/channel/channel-folder.ts'
  );
  const { removeRelease } = await import('../../deliver/channel/edit-channel.ts');
  const folder = resolve(context.cwd, flags.channel);
  const channel = removeRelease(await existingChannel(folder), version);
  await writeUnsigned(folder, channel);
  await print(context, flags, channel);
}

/** Signs the channel. @throws LandfallError KEY_…, CHANNEL_UNTRUSTED, CHANNEL_INVALID, FILE_… */
async function sign(
  context: CommandContext,
  { key, ...flags }: ChannelFlags & { readonly key: string },
): Promise<void> {
  const { signChannel } = await import('../../deliver/channel/channel-folder.ts');
  const { readSigningKey } = await import('../../bundle/sign/private-key.ts');
  const { keyInputs, keySource } = await import('../keys.ts');
  const signer = await readSigningKey(keySource(context, { key }), keyInputs(context));
  const folder = resolve(context.cwd, flags.channel);
  const { channel } = await signChannel(folder, signer, new Date());
  await print(context, flags, channel);
}

async function show(context: CommandContext, flags: ChannelFlags): Promise<void> {
  const { existingChannel } = await import('../../deliver/channel/channel-folder.ts');
  await print(context, flags, await existingChannel(resolve(context.cwd, flags.channel)));
}

async function print(
  context: CommandContext,
  flags: ChannelFlags,
  channel: Channel,
): Promise<void> {
  const { isSigned } = await import('../../deliver/channel/channel-folder.ts');
  const signed = await isSigned(resolve(context.cwd, flags.channel));
  const { stdout } = context;
  if (flags.json) {
    stdout.write(`${JSON.stringify({ signed, channel })}\n`);
    return;
  }
  const { product, channel: name, serial, expires, trust } = channel;
  const rows = channel.releases.map(({ version, security, updatesFrom, withdrawn, bundles }) => [
    `  ${version}`,
    Object.entries(bundles)
      .map(([arch, kinds]) => `${arch} (${Object.keys(kinds ?? {}).join(', ')})`)
      .join(', '),
    updatesFrom === null ? 'from any version' : `from ${updatesFrom}`,
    withdrawn ? `withdrawn: ${withdrawn.reason}` : `security: ${security}`,
  ]);
  const state = signed
    ? `serial ${serial}, rotation ${trust} of the keys, valid until ${expires}`
    : 'changed and not signed: run `landfall channel sign`';
  stdout.write(`${product} ${name}: ${state}\n${formatTable(rows)}\n`);
}
