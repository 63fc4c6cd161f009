import { LandfallError } from '#contract/errors.ts';
import { type Digest, isDigest } from '#contract/trust/digest.ts';

/** A fully qualified image name. */
export interface ImageReference {
  /** Host and, where given, port: `docker.io`, `localhost:5000`, `[::1]:5000`. */
  readonly registry: string;
  /** `library/nginx` */
  readonly repository: string;
  /** Absent only when there is a digest. */
  readonly tag: string | undefined;
  readonly digest: Digest | undefined;
}

export const dockerHub = 'docker.io';

/** The grammar of distribution's `reference` package, built from its named parts. */
const hostLabel = '(?:[a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])';
const hostName = `${hostLabel}(?:\\.${hostLabel})*`;
const registryPattern = new RegExp(`^(?:${hostName}|\\[[a-fA-F0-9:]+\\])(?::[0-9]{1,5})?$`);
const pathComponentPattern = /^[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const bareIdPattern = /^[0-9a-f]{64}$/;

const maxNameLength = 255;
const maxLength = 512;

/**
 * Parses an image name like `docker pull`: the default registry is Docker Hub, its default
 * namespace `library`, and the default tag `latest`.
 * @throws LandfallError CONFIG_INVALID, with a corrected example
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

/** Returns the full form: `docker.io/library/nginx:1.30@sha256:…`. Parsing it is lossless. */
export function canonical(reference: ImageReference): string {
  return `${reference.registry}/${reference.repository}${suffix(reference)}`;
}

/** Returns the short form that users write: `nginx:1.30`. Parsing it is lossless. */
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
    throw invalid(text, 'it is a local image ID, not a name');
  }
  checkPath(text, path);
  if (registry.length + 1 + repository.length > maxNameLength) {
    throw invalid(text, `its name is longer than ${maxNameLength} characters`);
  }
  return { registry, repository };
}

/**
 * Returns whether Docker would treat the first path component as a host. Docker also accepts
 * capitals as a sign of a host; here `Ollama/ollama` is reported as the typo that it usually is.
 */
function isRegistry(first: string): boolean {
  return /[.:[]/.test(first) || first === 'localhost';
}

function readRegistry(text: string, registry: string): string {
  // The grammar accepts invalid addresses such as [::1::] or 1.2.3.400, and ports above 65535.
  if (!registryPattern.test(registry) || !URL.canParse(`https://${registry}/`)) {
    throw invalid(text, `"${shown(registry)}" is not a registry host`);
  }
  const host = registry.toLowerCase();
  return host === 'index.docker.io' ? dockerHub : host;
}

function checkPath(text: string, path: string): void {
  for (const component of path.split('/')) {
    if (pathComponentPattern.test(component)) continue;
    if (component === '') throw invalid(text, 'a path component is empty');
    if (/[A-Z]/.test(component)) {
      throw invalid(text, 'repository names must be lower case', lowered(text));
    }
    throw invalid(text, `"${shown(component)}" is not a valid path component`);
  }
}

function readTag(text: string, tag: string): string {
  if (tagPattern.test(tag)) return tag;
  throw invalid(text, `"${shown(tag)}" is not a valid tag`);
}

function readDigest(text: string, digest: string): Digest {
  if (isDigest(digest)) return digest;
  if (/^sha(384|512):/.test(digest)) throw invalid(text, 'only SHA-256 digests are supported');
  throw invalid(text, `"${shown(digest)}" is not a digest (sha256: and 64 lower-case hex digits)`);
}

function invalid(text: string, reason: string, instead?: string): LandfallError {
  const example = instead ?? 'ollama/ollama:0.35.1 or ghcr.io/owner/name:v1@sha256:...';
  return new LandfallError('CONFIG_INVALID', `"${shown(text)}" is not an image name: ${reason}`, {
    hint: text === '' ? `Set an image, such as ${example}.` : `Use a name such as ${example}.`,
  });
}

function lowered(text: string): string | undefined {
  const end = /[:@]/.exec(text.slice(text.lastIndexOf('/') + 1));
  const length = end ? text.lastIndexOf('/') + 1 + end.index : text.length;
  return shown(text.slice(0, length).toLowerCase() + text.slice(length));
}

/** Makes text safe for messages: no control characters, bounded, no password before an `@`. */
function shown(text: string): string {
  const printable = text
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are removed
    .replace(/[\u0000-\u001f\u007f-\u009f]/g, '?')
    .replace(/:[^/@:]*@(?!sha\d)/g, ':***@');
  return printable.length > 80 ? `${printable.slice(0, 80)}...` : printable;
}
