/** URLs of the package archives; undefined leaves an archive unchanged. */
export interface Archives {
  readonly main: string | undefined;
  readonly security: string | undefined;
}

/** Suffixes of the distribution's own suites; others, such as `trixie-pgdg`, are third-party. */
const suffixes = ['', '-updates', '-security', '-backports', '-proposed', '-proposed-updates'];
const security = '-security';

/**
 * Replaces the archives of the distribution by mirrors in an apt sources file, and leaves third-party
 * archives unchanged. It matches suites and components rather than URLs, because images use the
 * archive directly, through mirror lists, or through a mirror of the provider.
 * @param codename the distribution's, such as `trixie`
 */
export function rewriteSources(text: string, codename: string, archives: Archives): string {
  return text
    .split('\n')
    .map((line) => rewriteLine(line, codename, archives))
    .join('\n');
}

/** Does the same for a `.sources` file (deb822(5)). */
export function rewriteStanzas(text: string, codename: string, archives: Archives): string {
  return text
    .split(/(\n[ \t]*\n+)/)
    .map((stanza) => rewriteStanza(stanza, codename, archives))
    .join('');
}

const oneLine =
  /^(?<before>\s*deb(?:-src)?\s+(?<options>\[[^\]]*\]\s+)?)(?!cdrom:)\S+(?<between>\s+)(?<suite>\S+)(?<after>\s+(?<components>.*))$/;

function rewriteLine(line: string, codename: string, archives: Archives): string {
  const parts = oneLine.exec(line)?.groups;
  if (parts === undefined) return line;
  const { before = '', options = '', between = ' ', suite = '', after = '' } = parts;
  const keyring = /signed-by=([^\s\]]+)/.exec(options)?.[1];
  const offer = { suites: [suite], components: words(parts.components), keyring };
  const archive = archiveFor(offer, codename, archives);
  return archive === undefined ? line : `${before}${archive}${between}${suite}${after}`;
}

function rewriteStanza(stanza: string, codename: string, archives: Archives): string {
  const field = (name: string) =>
    new RegExp(`^${name}:((?:.*\n?)(?:[ \t].*\n?)*)`, 'im').exec(stanza)?.[1];
  const offer = {
    suites: words(field('Suites')),
    components: words(field('Components')),
    keyring: field('Signed-By')?.trim() || undefined,
  };
  const archive = archiveFor(offer, codename, archives);
  if (archive === undefined) return stanza;
  return stanza.replace(/^URIs:.*(?:\n[ \t].*)*/im, `URIs: ${archive}`);
}

interface Offer {
  readonly suites: readonly string[];
  readonly components: readonly string[];
  readonly keyring: string | undefined;
}

function archiveFor(
  { suites, components, keyring }: Offer,
  codename: string,
  { main, security: secure }: Archives,
): string | undefined {
  const own = suites.length > 0 && suites.every((suite) => isOf(codename, suite));
  if (!own || !components.includes('main')) return undefined;
  if (keyring !== undefined && !/(?:debian|ubuntu)-archive/.test(keyring)) return undefined;
  return suites.every((suite) => suite.endsWith(security)) ? secure : main;
}

function isOf(codename: string, suite: string): boolean {
  return suffixes.some((suffix) => suite === `${codename}${suffix}`);
}

function words(text = ''): string[] {
  return text.split(/\s+/).filter((word) => word !== '');
}
