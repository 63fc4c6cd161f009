import { LandfallError } from '#contract/errors.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';

/** The name of an image in a registry, every default written out. */
export interface ImageReference {
  /** Host and, where given, port: `docker.io`, `localhost:5000`, `[::1]:5000`. */
  readonly registry: string;
  /** `library/nginx` */
  readonly repository: string;
  /** Absent only where there is a digest. */
  readonly tag: string | undefined;
  readonly digest: Digest | undefined;
}

export const dockerHub = 'docker.io';

/** The grammar of distribution's `reference` package, from its named parts. */
const hostLabel = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const hostName = `${hostLabel}(?:\\.${hostLabel})*`;
const registryPattern = new RegExp(`^(?:${hostName}|\\[[a-fA-F0-9:]+\\])(?::[0-9]{1,5})?$`);
const pathComponentPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const bareIdPattern = /^[0-9a-f]{64}$/;

const maxNameLength = 255;
const maxLength = 512;

/**
 * Reads an image name the way `docker pull` does: no registry means Docker Hub, no namespace there
 * means `library`, neither tag nor digest means `latest`.
 * @throws LandfallError CONFIG_INVALID, with what to write instead
 */
export function parseReference(text: string): ImageReference {
  if (text.length > maxLength) throw invalid(text, `it is longer than ${maxLength} characters`);
  const at = text.indexOf('@');
  const digest = at === -1 ? undefined : readDigest(text, text.slice(at + 1));
  const named = at === -1 ? text : text.slice(0, at);
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1);
  const tag = colon === -1 ? undefined : readTag(text, named.slice(colon + 1));
  const name = colon === -1 ? named : named.slice(0, colon);
  const { registry, repository } = readName(text, name);
  return { registry, repository, tag: tag ?? (digest ? undefined : 'latest'), digest };
}

/** The full form: `docker.io/library/nginx:1.30@sha256:…`. Reading it gives the same reference. */
export function canonical(reference: ImageReference): string {
  return `${reference.registry}/${reference.repository}${suffix(reference)}`;
}

/** The form that people write: `nginx:1.30`. Reading it gives the same reference. */
export function familiar(reference: ImageReference): string {
  const { registry, repository } = reference;
  const [first = '', ...rest] = repository.split('/');
  if (registry !== dockerHub || isRegistry(first)) return canonical(reference);
  const short = first === 'library' && rest.length === 1 ? rest.join() : repository;
  return short + suffix(reference);
}

function suffix({ tag, digest }: ImageReference): string {
  return (tag === undefined ? '' : `:${tag}`) + (digest === undefined ? '' : `@${digest}`);
}

function readName(text: string, name: string): { registry: string; repository: string } {
  const slash = name.indexOf('/');
  const first = slash === -1 ? '' : name.slice(0, slash);
  const named = isRegistry(first);
  const path = named ? name.slice(slash + 1) : name;
  const registry = named ? readRegistry(text, first) : dockerHub;
  const repository = registry === dockerHub && !path.includes('/') ? `library/${path}` : path;
  if (registry === dockerHub && bareIdPattern.test(repository.replace(/^library\//, ''))) {
    throw invalid(text, 'it is the id of an image in an engine, not a name');
  }
  checkPath(text, path);
  if (registry.length + 1 + repository.length > maxNameLength) {
    throw invalid(text, `its name is longer than ${maxNameLength} characters`);
  }
  return { registry, repository };
}

/**
 * What makes Docker take the first part of a name for a host. Docker takes capitals for a sign of
 * one as well; here `Ollama/ollama` is the slip that it nearly always is.
 */
function isRegistry(first: string): boolean {
  return /[.:[]/.test(first) || first === 'localhost';
}

function readRegistry(text: string, registry: string): string {
  // The grammar takes addresses that are none, such as [::1::] or 1.2.3.400, and ports above 65535.
  if (!registryPattern.test(registry) || !URL.canParse(`https://${registry}/`)) {
    throw invalid(text, `"${shown(registry)}" is not the host of a registry`);
  }
  const host = registry.toLowerCase();
  return host === 'index.docker.io' ? dockerHub : host;
}

function checkPath(text: string, path: string): void {
  for (const component of path.split('/')) {
    if (pathComponentPattern.test(component)) continue;
    if (component === '') throw invalid(text, 'a part of its name is empty');
    if (/[A-Z]/.test(component)) {
      throw invalid(text, 'repository names are written in lower case', lowered(text));
    }
    throw invalid(text, `"${shown(component)}" is not a part of a repository name`);
  }
}

function readTag(text: string, tag: string): string {
  if (tagPattern.test(tag)) return tag;
  throw invalid(text, `"${shown(tag)}" is not a tag`);
}

function readDigest(text: string, digest: string): Digest {
  if (isDigest(digest)) return digest;
  if (/^sha(384|512):/.test(digest)) throw invalid(text, 'only SHA-256 digests are supported');
  throw invalid(text, `"${shown(digest)}" is not a digest: sha256: and 64 lower-case hex digits`);
}

function invalid(text: string, reason: string, instead?: string): LandfallError {
  const example = instead ?? 'ollama/ollama:0.35.1 or ghcr.io/owner/name:v1@sha256:...';
  return new LandfallError('CONFIG_INVALID', `"${shown(text)}" is not an image name: ${reason}`, {
    hint: text === '' ? `Name an image, such as ${example}.` : `Write it like ${example}.`,
  });
}

function lowered(text: string): string | undefined {
  const end = /[:@]/.exec(text.slice(text.lastIndexOf('/') + 1));
  const length = end ? text.lastIndexOf('/') + 1 + end.index : text.length;
  return shown(text.slice(0, length).toLowerCase() + text.slice(length));
}

/** For messages: no control characters, no endless lines, no password that came before an `@`. */
function shown(text: string): string {
  const printable = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is taken out
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
    .replace(/:[^/@:]*@(?!sha\d)/g, ':***@');
  return printable.length > 80 ? `${printable.slice(0, 80)}...` : printable;
}
