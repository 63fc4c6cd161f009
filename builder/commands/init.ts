import { join, relative, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { siteSchema } from '#contract/site/site.ts';
import { jsonSchemaOf } from '../config/json-schemas.ts';
import { ignoreInGit } from '../files/ignore-in-git.ts';
import { workTreeOf } from '../files/work-tree.ts';
import type { SiteAnswers, TlsMode } from '../init/answers.ts';
import { applianceTemplate, lockTemplate } from '../init/appliance-template.ts';
import { askForSite } from '../init/ask.ts';
import { checkAnswers } from '../init/check-answers.ts';
import { siteTemplate } from '../init/site-template.ts';
import { readSshKey } from '../init/ssh-keys.ts';
import { withoutAsking } from '../init/without-asking.ts';
import { type NewFile, writeFolder } from '../init/write-folder.ts';
import { printWarnings } from '../progress/print-warnings.ts';
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
  readonly tls?: TlsMode;
  readonly yes?: boolean;
  readonly force?: boolean;
  readonly json?: boolean;
}

/** What must not or need not be committed: keys, bundles, and what is pasted at a provider. */
const ignored = ['*.key', '/dist/', '/user-data.yaml'];

const tlsModes = siteSchema.shape.tls.unwrap().shape.mode.options;

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
    .addOption(new Option('--tls <mode>', 'where the certificate comes from').choices(tlsModes))
    .option('--email <address>', 'for the certificate authority')
    .option('--accept-terms', "accept the certificate authority's terms")
    .option('--route <url>', 'HTTP or SOCKS5 proxy that the server must go out through')
    .option('--yes', 'ask nothing: take the default where no flag says otherwise')
    .option('--force', 'write over files that exist')
    .option('--json', 'print the result as JSON')
    .addHelpText('after', example)
    .action(async (name: string, flags: InitFlags) => {
      const folder = resolve(context.cwd, name);
      const site = siteTemplate(await answersFor(context, flags));
      checkAnswers(site);
      const files: NewFile[] = [
        { name: 'appliance.yaml', text: await applianceTemplate() },
        { name: 'appliance.lock.yaml', text: await lockTemplate() },
        { name: 'site.yaml', text: site, private: true },
        { name: '.landfall/appliance.schema.json', text: jsonSchemaOf('appliance') },
        { name: '.landfall/site.schema.json', text: jsonSchemaOf('site') },
      ];
      await writeFolder(folder, files, flags.force ?? false);
      await ignoreInGit(folder, ignored);
      const workTree = await workTreeOf(folder);
      const warnings = workTree === undefined ? [] : [inWorkTree(folder, workTree)];
      if (flags.json) context.stdout.write(toJson(folder, files, warnings));
      else {
        printWarnings(context, warnings);
        context.stdout.write(describe(context, folder));
      }
    });
}

async function answersFor(context: CommandContext, flags: InitFlags): Promise<SiteAnswers> {
  const person = {
    input: context.stdin,
    output: context.stderr,
    home: context.env.HOME,
    cwd: context.cwd,
  };
  const sshKeys = await Promise.all(flags.sshKey.map((given) => readSshKey(given, person)));
  const known = withoutUndefined({
    releaseUrl: flags.releaseUrl,
    sshKeys: sshKeys.length === 0 ? undefined : sshKeys,
    user: flags.user,
    uiHost: flags.uiHost,
    email: flags.email,
    tls: flags.tls,
    acceptTerms: flags.acceptTerms,
    routeUrl: flags.route,
  });
  return context.interactive && !flags.yes ? askForSite(known, person) : withoutAsking(known);
}

/** What a flag did not say is absent, not undefined: only so does a default take its place. */
function withoutUndefined<T extends object>(
  values: T,
): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const said = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(said) as { [K in keyof T]?: Exclude<T[K], undefined> };
}

function describe({ cwd }: CommandContext, folder: string): string {
  const show = (name: string) => relative(cwd, join(folder, name));
  return `${show('appliance.yaml')}       what is shipped
${show('appliance.lock.yaml')}  its images by digest
${show('site.yaml')}            who and where; look through it
next: landfall keygen, then landfall build
`;
}

function inWorkTree(folder: string, workTree: string): string {
  return `${folder} is in the git work tree ${workTree}. site.yaml says who and where you are: commit it to a private repository only.`;
}

function toJson(folder: string, files: readonly NewFile[], warnings: readonly string[]): string {
  const names = [...files.map(({ name }) => name), '.gitignore'];
  return `${JSON.stringify({ folder, files: names, warnings })}\n`;
}
