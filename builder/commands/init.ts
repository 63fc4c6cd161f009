import { join, relative, resolve } from 'node:path';
import { Command } from 'commander';
import { LandfallError } from '#contract/errors.ts';
import { jsonSchemaOf } from '../config/json-schemas.ts';
import type { SiteAnswers } from '../init/answers.ts';
import { applianceTemplate, lockTemplate } from '../init/appliance-template.ts';
import { askForSite } from '../init/ask.ts';
import { siteTemplate } from '../init/site-template.ts';
import { readSshKey } from '../init/ssh-keys.ts';
import { writeFolder } from '../init/write-folder.ts';
import type { CommandContext } from './context.ts';
import { collect } from './repeatable.ts';

interface InitFlags {
  readonly releaseUrl?: string;
  readonly sshKey: readonly string[];
  readonly user?: string;
  readonly uiHost?: string;
  readonly email?: string;
  readonly acceptTerms?: boolean;
  readonly route?: string;
  readonly force?: boolean;
  readonly json?: boolean;
}

const example = `
Example:
  landfall init my-server                     asks what it must know
  landfall init my-server --ssh-key ~/.ssh/id_ed25519.pub \\
    --release-url https://downloads.example.com/landfall/ \\
    --ui-host chat.example.com --email me@example.com --accept-terms
`;

/** `landfall init`: the two files to begin with. */
export function initCommand(context: CommandContext): Command {
  return new Command('init')
    .description('write appliance.yaml and site.yaml to begin with')
    .argument('[folder]', 'where to', '.')
    .option('--release-url <url>', 'folder on a web server that will hold the release')
    .option('--ssh-key <key>', 'public key that may log in, as a file or a line', collect, [])
    .option('--user <name>', 'the user that logs in (default: ops)')
    .option('--ui-host <name>', 'host name of the chat UI')
    .option('--email <address>', 'for the certificate authority')
    .option('--accept-terms', "accept the certificate authority's terms")
    .option('--route <url>', 'HTTP or SOCKS5 proxy that the server must go out through')
    .option('--force', 'write over files that exist')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (name: string, flags: InitFlags) => {
      const folder = resolve(context.cwd, name);
      const answers = await answersFor(context, flags);
      const files = new Map([
        ['appliance.yaml', await applianceTemplate()],
        ['appliance.lock.yaml', await lockTemplate()],
        ['site.yaml', siteTemplate(answers)],
        ['.landfall/appliance.schema.json', jsonSchemaOf('appliance')],
        ['.landfall/site.schema.json', jsonSchemaOf('site')],
      ]);
      await writeFolder(folder, files, flags.force ?? false);
      context.stdout.write(flags.json ? toJson(folder, files) : describe(context, folder));
    });
}

async function answersFor(context: CommandContext, flags: InitFlags): Promise<SiteAnswers> {
  const sshKeys = await Promise.all(flags.sshKey.map(readSshKey));
  const known: Partial<SiteAnswers> = {
    ...(flags.releaseUrl === undefined ? {} : { releaseUrl: flags.releaseUrl }),
    ...(sshKeys.length === 0 ? {} : { sshKeys }),
    ...(flags.user === undefined ? {} : { user: flags.user }),
    ...(flags.uiHost === undefined ? {} : { uiHost: flags.uiHost }),
    ...(flags.email === undefined ? {} : { email: flags.email }),
    ...(flags.acceptTerms === undefined ? {} : { acceptTerms: flags.acceptTerms }),
    ...(flags.route === undefined ? {} : { routeUrl: flags.route }),
  };
  if (context.interactive) return askForSite(known, context.env.HOME);
  const { releaseUrl } = known;
  if (releaseUrl !== undefined && sshKeys.length > 0) {
    return {
      user: 'ops',
      email: undefined,
      uiHost: undefined,
      acceptTerms: false,
      routeUrl: undefined,
      ...known,
      releaseUrl,
      sshKeys,
    };
  }
  const missing = [
    ...(releaseUrl === undefined ? ['--release-url'] : []),
    ...(sshKeys.length === 0 ? ['--ssh-key'] : []),
  ];
  throw new LandfallError(
    'USAGE',
    `there is nobody to ask, and missing are: ${missing.join(', ')}`,
    {
      hint: 'Give them on the command line, or run this on a terminal.',
    },
  );
}

function describe({ cwd }: CommandContext, folder: string): string {
  const show = (name: string) => relative(cwd, join(folder, name));
  return `${show('appliance.yaml')}       what is shipped
${show('appliance.lock.yaml')}  its images by digest
${show('site.yaml')}            who and where; look through it
next: landfall keygen, then landfall build --key release.key
`;
}

function toJson(folder: string, files: ReadonlyMap<string, string>): string {
  return `${JSON.stringify({ folder, files: [...files.keys()] })}\n`;
}
