import { realpath } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { inLanguage } from '#contract/text/language.ts';
import { isMissing, openRegular } from '#files/open-regular.ts';
import type { FileMode } from '#files/replace-file.ts';
import { safeUrl } from '#http/safe-url.ts';
import { makeFolder, removeFile, writeText } from '../../server/host/files.ts';
import type { Host } from '../../server/host/host.ts';
import { hasText, install, remove, type Service } from '../../server/host/service.ts';
import type { Measure } from '../../server/stage/measure.ts';
import type { Context } from '../../server/stage/stage.ts';

/** URLs of the package archives; undefined leaves an archive unchanged. */
interface Archives {
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

const folder = 'etc/apt/sources.list.d';
/** Backups of the original sources files. */
const originals = 'var/lib/landfall/apt-sources';
/** Without this file, cloud-init overwrites the sources on each copy of a machine. */
const cloudInitFile = 'etc/cloud/cloud.cfg.d/99-landfall-apt.cfg';
const cloudInitText = 'apt:\n  preserve_sources_list: true\n';
const preserved: Service = { files: [{ path: cloudInitFile, text: cloudInitText }] };

const maxBytes = 4 << 20;

/** A sources file, or our copy of one. Both can contain the password of an archive. */
interface SourcesFile {
  /** One character per byte, so that a file of another encoding than UTF-8 keeps its bytes. */
  readonly text: string;
  readonly mode: Required<FileMode>;
}

/** Compares files regardless of their archives. */
const anyArchive: Archives = { main: 'archive:', security: 'archive:' };

/** Makes apt use the mirrors of the site. */
export const sourcesMeasure: Measure = {
  check: async (context) => {
    const { apt, apt_security } = context.site.mirrors;
    const url = apt ?? apt_security;
    const mirror = url === undefined ? undefined : safeUrl(new URL(url));
    const archive =
      mirror === undefined
        ? { en: 'original archive', zh: '原来的软件源' }
        : { en: `mirror ${mirror}`, zh: `镜像源 ${mirror}` };
    const changes = await sourcesToChange(context);
    return changes.map(({ path }) =>
      inLanguage({
        en: `use the ${archive.en} in /${path}`,
        zh: `在 /${path} 中使用${archive.zh}`,
      }),
    );
  },
  apply: changeSources,
};

/** Returns the sources files with their originals, and how the mirrors of the site rewrite a text. */
async function sourcesFiles({ host, server, site }: Context) {
  const archives = archivesOf(site.mirrors, server.distribution.id);
  const paths = ['etc/apt/sources.list', ...(await listed(host))];
  return await Promise.all(
    paths.map(async (path) => {
      const copy = join(originals, path);
      const rewrite = path.endsWith('.sources') ? rewriteStanzas : rewriteSources;
      return {
        ...{ path, copy },
        current: await readSources(host, path),
        original: await readSources(host, copy),
        rewritten: (text: string, to = archives) => rewrite(text, server.codename, to),
      };
    }),
  );
}

/**
 * Returns the changes that make apt use the mirrors of the site, and the original archives instead of
 * mirrors that the site no longer names.
 */
async function sourcesToChange(context: Context) {
  const files = await sourcesFiles(context);
  return files.flatMap(({ path, copy, current, original, rewritten }) => {
    if (!current) return [];
    const isOurs =
      original && rewritten(current.text, anyArchive) === rewritten(original.text, anyArchive);
    const after = rewritten((isOurs ? original : current).text);
    return after === current.text ? [] : [{ path, copy, original, before: current, after }];
  });
}

/**
 * Applies the changes, keeps mode and owner of the files, copies the original files once, and makes
 * cloud-init preserve them.
 */
async function changeSources(context: Context): Promise<void> {
  const { host } = context;
  for (const { path, copy, original, before, after } of await sourcesToChange(context)) {
    await makeFolder(host, originals, { mode: 0o700 });
    if (original === undefined) await writeSources(host, copy, before);
    await writeSources(host, path, { ...before, text: after });
  }
  const { apt, apt_security } = context.site.mirrors;
  if (apt !== undefined || apt_security !== undefined) await install(host, preserved);
  else await removePreserved(host);
}

/**
 * Restores the original sources files with their modes and owners, and lets cloud-init write them
 * again. A file that was changed since stays as it is, and its copy too.
 * @returns paths of the files that were changed since
 */
export async function restoreSources(context: Context): Promise<string[]> {
  const { host } = context;
  const changed: string[] = [];
  for (const { path, copy, current, original, rewritten } of await sourcesFiles(context)) {
    if (original === undefined) continue;
    const isOurs = current?.text === rewritten(original.text);
    if (isOurs) await writeSources(host, path, original);
    if (isOurs || current?.text === original.text) await removeFile(host, copy);
    else changed.push(path);
  }
  await removePreserved(host);
  return changed;
}

async function removePreserved(host: Host): Promise<void> {
  if (await hasText(host, cloudInitFile, (text) => text === cloudInitText)) {
    await remove(host, preserved);
  }
}

async function readSources(host: Host, path: string): Promise<SourcesFile | undefined> {
  await using file = await openRegular(host.path(path));
  const found = await file?.stat();
  if (!file || !found || found.size > maxBytes) return undefined;
  const { mode, uid, gid } = found;
  return { text: await file.readFile('latin1'), mode: { mode: mode & 0o7777, uid, gid } };
}

/** Writes the file that a link points to: programs that manage sources keep them elsewhere. */
async function writeSources(host: Host, path: string, { text, mode }: SourcesFile): Promise<void> {
  const target = await realpath(host.path(path)).catch((error: unknown) => {
    if (isMissing(error)) return host.path(path);
    throw error;
  });
  await writeText(host, relative(host.path(), target), Buffer.from(text, 'latin1'), mode);
}

/** Returns the archives of the site. Only Debian has a separate archive for security updates. */
function archivesOf(
  { apt, apt_security }: Context['site']['mirrors'],
  distribution: string,
): Archives {
  return { main: apt, security: apt_security ?? (distribution === 'ubuntu' ? apt : undefined) };
}

async function listed(host: Host): Promise<string[]> {
  return (await host.namesIn(folder))
    .filter((name) => /^[A-Za-z0-9_.-]+\.(?:list|sources)$/.test(name))
    .map((name) => join(folder, name));
}
