import { join, relative } from 'node:path';
import { formatTable } from '#contract/text/table.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { PackagedRelease } from '../packaged/packaged-release.ts';

/** What `landfall init` wrote. */
interface Initialized {
  readonly cwd: string;
  readonly folder: string;
  readonly releaseUrls: readonly string[];
  /** Why the user builds a release, if that was not requested. */
  readonly reason: string | undefined;
}

/** Describes the files and the commands that lead to a release of the user and its user-data. */
export function describeOwnRelease({ cwd, folder, releaseUrls, reason }: Initialized): string {
  const shown = relative(cwd, folder);
  const show = (name: string) => join(shown, name);
  const files = formatTable([
    [show('appliance.yaml'), 'what the release contains'],
    [show('appliance.lock.yaml'), 'digests of its images and files'],
    [show('site.yaml'), 'settings of your server; review them'],
  ]);
  const steps = formatTable([
    ...changeFolder(shown),
    ['  landfall keygen', 'creates the key that signs your release'],
    ['  landfall lock', 'looks up the digests of images and models'],
    ['  landfall build --full --output dist', 'downloads everything into a signed bundle'],
    ['  landfall user-data --release dist/*.tar', 'renders the text to paste'],
  ]);
  return `${files}
${reason === undefined ? '' : `\n${reason}\n`}
Next, in this order:

${steps}

${releaseUrls[0] === 'push' ? overSsh : uploadTo(releaseUrls[0])}
`;
}

const overSsh = `Then set up a server that is already running: landfall install root@<server> --release dist
Or paste user-data.yaml when you create it, and send the bundle: landfall push <user>@<server> --release dist`;

function uploadTo(url = ''): string {
  return `Then upload the files in dist to ${url}
Test the URLs with: landfall user-data --release dist/*.tar --check-urls
Paste user-data.yaml when you create the server.`;
}

/** Describes the file and the command that lead to user-data for the release of the package. */
export function describePackagedRelease(
  { cwd, folder }: Pick<Initialized, 'cwd' | 'folder'>,
  { product, version, keyId, keyPage }: PackagedRelease,
): string {
  const shown = relative(cwd, folder);
  const facts = formatTable([
    [join(shown, 'site.yaml'), 'settings of your server; review them'],
    ['release', `${product} ${version}, published and signed by its project`],
    ['key id', `${formatKeyId(keyId)}`],
    ['', `compare it with ${keyPage ?? 'a second source of the project, such as its website'}`],
  ]);
  const steps = formatTable([
    ...changeFolder(shown),
    ['  landfall user-data', 'verifies the release and renders the text to paste'],
  ]);
  return `${facts}

Next, in this order:

${steps}

Paste user-data.yaml when you create the server.
`;
}

function changeFolder(shown: string): string[][] {
  return shown === '' ? [] : [[`  cd ${shellWord(shown)}`, '']];
}

/** Quotes a word for a shell where that is needed. */
function shellWord(text: string): string {
  return /^[\w./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
