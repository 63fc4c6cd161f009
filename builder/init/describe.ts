import { join, relative } from 'node:path';
import { componentOf } from '#contract/component-names.ts';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { PackagedRelease } from '../packaged/packaged-release.ts';
import type { SiteAnswers } from './answers.ts';
import { hasPassword } from './given.ts';

/** What `landfall init` wrote. */
interface Initialized {
  readonly cwd: string;
  readonly folder: string;
  readonly answers: Pick<
    SiteAnswers,
    'frontEnds' | 'importedProxy' | 'releaseUrls' | 'route' | 'user'
  >;
  /** Why the user builds a release, if that was not requested. */
  readonly reason: string | undefined;
}

/** Describes the files and the commands that lead to a release of the user and its user-data. */
export function describeOwnRelease({ cwd, folder, answers, reason }: Initialized): string {
  const shown = relative(cwd, folder);
  const show = (name: string) => join(shown, name);
  const files = formatTable([
    [show('appliance.yaml'), 'what the release contains'],
    [show('appliance.lock.yaml'), 'digests of its images and files'],
    [show('site.yaml'), 'settings of your server; review them'],
    ...proxiesFile(answers, show),
  ]);
  const steps = formatTable([
    ...changeFolder(shown),
    ['  landfall keygen', 'creates the key that signs your release'],
    ['  landfall lock', 'looks up the digests of images and models'],
    ['  landfall build --full --output dist', 'downloads everything into a signed bundle'],
    [`  landfall user-data --release dist/*.tar${consent(answers)}`, 'renders the text to paste'],
  ]);
  return `${files}
${remarksOn(answers)}${reason === undefined ? '' : `\n${reason}\n`}
Next, in this order:

${steps}

${last(answers)}
`;
}

/** Describes how the release and, for a proxy client, the proxies get to the server. */
function last(answers: Initialized['answers']): string {
  const [url] = answers.releaseUrls;
  const file = answers.importedProxy === undefined ? '<file>' : 'proxies.yaml';
  const proxies = answers.route === 'client' ? ` --proxies ${file}` : '';
  if (url === 'push')
    return `Then set up a server that is already running: landfall install root@<server> --release dist${proxies}${consent(answers)}
Or paste user-data.yaml when you create it, and send the bundle: landfall push <user>@<server> --release dist${proxies}`;
  return `Then upload the files in dist to ${url}
Test the URLs with: landfall user-data --release dist/*.tar --check-urls${consent(answers)}
${pasteIt(answers)}`;
}

/** A proxy password in site.yaml needs the consent of each command that uses it. */
function consent({ route }: Pick<SiteAnswers, 'route'>): string {
  return hasPassword(route) ? ' --allow-route-password' : '';
}

function proxiesFile(
  { importedProxy }: Pick<SiteAnswers, 'importedProxy'>,
  show: (name: string) => string,
): string[][] {
  if (importedProxy === undefined) return [];
  return [[show('proxies.yaml'), 'the proxy with its password; keep it private']];
}

function pasteIt({ route, user }: Pick<SiteAnswers, 'route' | 'user'>): string {
  const paste = 'Paste user-data.yaml when you create the server.';
  const sending = `ssh ${user}@<server> sudo landfall route import - < proxies.yaml`;
  return route === 'client' ? `${paste}\nThen send it your proxies: ${sending}` : paste;
}

/** Describes the file and the command that lead to user-data for the release of the package. */
export function describePackagedRelease(
  { cwd, folder, answers }: Omit<Initialized, 'reason'>,
  { product, version, keyId, keyPage }: PackagedRelease,
): string {
  const shown = relative(cwd, folder);
  const facts = formatTable([
    [join(shown, 'site.yaml'), 'settings of your server; review them'],
    ...proxiesFile(answers, (name) => join(shown, name)),
    ['release', `${product} ${version}, published and signed by its project`],
    ['key id', `${formatKeyId(keyId)}`],
    ['', `compare it with ${keyPage ?? 'a second source of the project, such as its website'}`],
  ]);
  const steps = formatTable([
    ...changeFolder(shown),
    [
      `  landfall user-data${consent(answers)}`,
      'verifies the release and renders the text to paste',
    ],
  ]);
  return `${facts}
${remarksOn(answers)}
Next, in this order:

${steps}

${pasteIt(answers)}
`;
}

/** Returns a remark on the upkeep of each front-end that is on. */
function remarksOn({ frontEnds }: Pick<SiteAnswers, 'frontEnds'>): string {
  const remarks = frontEnds.map((name) => componentOf(name).upkeep);
  return remarks.length === 0 ? '' : `\n${remarks.join('\n')}\n`;
}

function changeFolder(shown: string): string[][] {
  return shown === '' ? [] : [[`  cd ${shellWord(shown)}`, '']];
}

/** Quotes a word for a shell where that is needed. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
