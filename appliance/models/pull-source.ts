import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { atMirror, isMirrored, type ModelMirror } from '#contract/site/model-mirror.ts';

/** A source of a model. */
export interface PullSource {
  /** The local name of the model. */
  readonly name: string;
  /** The name to request: a mirror changes it. */
  readonly remote: string;
  readonly host: string;
  /** Whether the source uses plain HTTP. */
  readonly insecure: boolean;
}

/** Returns the own registry of a model as a source. */
export function homeOf(name: ModelName): PullSource {
  const short = shortModelName(name);
  return { name: short, remote: short, host: name.host, insecure: false };
}

/** Returns a mirror as a source; undefined for a model of another registry than Ollama's. */
export function sourceAt(name: ModelName, mirror: ModelMirror): PullSource | undefined {
  if (!isMirrored(name)) return undefined;
  return {
    name: shortModelName(name),
    remote: shortModelName(atMirror(name, mirror)),
    host: mirror.host,
    insecure: mirror.insecure,
  };
}

/** Returns the sources to try in order, the mirror of the site first. */
export function pullSources(name: ModelName, mirror: ModelMirror | undefined): PullSource[] {
  const mirrored = mirror && sourceAt(name, mirror);
  return mirrored ? [mirrored, homeOf(name)] : [homeOf(name)];
}
