import { type ModelName, shortModelName } from '#contract/bundle/model-name.ts';
import { atMirror, isMirrored, type ModelMirror } from '#contract/site/model-mirror.ts';

/** A place to pull a model from. */
export interface PullSource {
  /** What the model is called in the end. */
  readonly name: string;
  /** What the engine is asked for: at a mirror the model has another name. */
  readonly remote: string;
  readonly host: string;
  /** Whether the place speaks plain HTTP. */
  readonly insecure: boolean;
}

/** Where a model is at home. */
export function homeOf(name: ModelName): PullSource {
  const short = shortModelName(name);
  return { name: short, remote: short, host: name.host, insecure: false };
}

/** The model at a mirror; nothing for a model of another registry, which the mirror cannot have. */
export function sourceAt(name: ModelName, mirror: ModelMirror): PullSource | undefined {
  if (!isMirrored(name)) return undefined;
  return {
    name: shortModelName(name),
    remote: shortModelName(atMirror(name, mirror)),
    host: mirror.host,
    insecure: mirror.insecure,
  };
}

/** The places to try, the mirror of the site first. */
export function pullSources(name: ModelName, mirror: ModelMirror | undefined): PullSource[] {
  const nearer = mirror && sourceAt(name, mirror);
  return nearer ? [nearer, homeOf(name)] : [homeOf(name)];
}
