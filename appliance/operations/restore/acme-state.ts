import { basename } from 'node:path';

/** What certbot has of a server: its accounts, certificates and keys. Relative to the root folder. */
export const acmeState = 'var/lib/landfall/acme/config';

/** The files that certbot reads as data. It would run hooks, and obey `cli.ini`. */
const stateFiles = [
  /^accounts(?:\/[\w.-]+)*$/,
  /^(?:archive|live)(?:\/[\w.-]+){0,2}$/,
  /^renewal(?:\/[\w.-]+\.conf)?$/,
];

/** Where certbot has links: to the newest certificate, and between names of an authority. */
const linkFolders = /^(?:accounts|live)\//;

/**
 * Reports whether a restored file, folder or link is data of certbot.
 * @param path below {@link acmeState}
 * @param isLink whether it is a link, which could give the content of another file to a name with a meaning
 */
export function isAcmeState(path: string, isLink: boolean): boolean {
  return stateFiles.some((each) => each.test(path)) && (!isLink || linkFolders.test(path));
}

/**
 * Returns the file that describes a certificate to certbot, without what it may run: hooks, plugins and other
 * folders. certbot completes it when it renews.
 * @param path of the file, `renewal/<name>.conf`
 * @param text restored
 */
export function renewalFile(path: string, text: string): string {
  const folder = '/etc/letsencrypt';
  const name = basename(path, '.conf');
  const files = ['cert', 'privkey', 'chain', 'fullchain'];
  const lines = files.map((file) => `${file} = ${folder}/live/${name}/${file}.pem`);
  const server = /^server = https:\/\/[\w.:/-]+$/m.exec(text)?.[0] ?? '';
  return [`archive_dir = ${folder}/archive/${name}`, ...lines, '[renewalparams]', server, ''].join(
    '\n',
  );
}
