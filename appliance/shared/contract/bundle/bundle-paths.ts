import { type Digest, hexOf } from '../trust/digest.ts';

/** Paths of the files in a bundle that the server looks up by name. */

/** npm's tarball of Node for Linux, verbatim; the runtime is `package/bin/node` inside. */
export const nodeTarball = 'runtime/node.tgz';
/** The Compose plugin: a file in a full bundle, a download in a thin one. */
export const composePlugin = 'runtime/docker-compose';
/** The release tarball of the proxy client sing-box, verbatim. Optional. */
export const singBoxTarball = 'runtime/sing-box.tar.gz';
/** The server's program, a single file of plain JavaScript. */
export const program = 'program/landfall.mjs';
/** The SBOM of the release, CycloneDX in JSON. */
export const sbom = 'sbom.cdx.json';
/** Licenses of the third-party works in the bundle, for people. */
export const notice = 'NOTICE';
/** The folder of the stack. */
export const composeFolder = 'compose';
/** The gateway's nginx.conf, below the folder of the stack. A custom stack may lack it. */
export const gatewayConfigurationFile = 'gateway/nginx.conf';
/** The folder of the images' blobs. */
export const blobsFolder = 'blobs';
/** The folder of the models' blobs. */
export const modelsFolder = 'models';

/**
 * Returns the path of a model's blob. Image blobs are separate, because they are deleted after
 * loading.
 */
export function modelBlobPath(digest: Digest): string {
  return `${modelsFolder}/sha256/${hexOf(digest)}`;
}

const parts = {
  /** Fits into the name field of a tar header. */
  short: '(?=.{1,100}$)',
  /** No `.` and no `..`. */
  noDotSegments: '(?!(?:.*/)?\\.{1,2}(?:/|$))',
  /** No name that looks like an option. */
  noLeadingDash: '(?!(?:.*/)?-)',
  /** Relative, printable ASCII, no spaces, no backslashes, at most eight levels. */
  names: '[A-Za-z0-9._@+-]+(?:/[A-Za-z0-9._@+-]+){0,7}',
};

/** A path inside a bundle. All other paths are rejected. */
export const pathPattern = new RegExp(`^${Object.values(parts).join('')}$`);
