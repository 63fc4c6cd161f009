/** What lego has of a server: its accounts, certificates and keys. Relative to the root folder. */
export const acmeState = 'var/lib/landfall/acme/config';

/** The files that lego reads. It would also obey other files, such as a configuration with hooks. */
const stateFiles = [
  /^accounts(?:\/[^/]+){0,2}$/,
  /^accounts\/[^/]+\/[^/]+\/(?:account\.json|[^/]+\.key)$/,
  /^certificates(?:\/[\w.-]+\.(?:crt|json|key))?$/,
];

/**
 * Reports whether a restored file or folder is data of lego, which has no links.
 * @param path below {@link acmeState}
 * @param isLink whether it is a link, which could give the content of another file to a name with a meaning
 */
export function isAcmeState(path: string, isLink: boolean): boolean {
  return !isLink && stateFiles.some((each) => each.test(path));
}
