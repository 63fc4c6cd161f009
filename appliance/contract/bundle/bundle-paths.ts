import { type Digest, hexOf } from '../trust/digest.ts';

/** Where a bundle keeps what the server looks for by name. */

/** npm's tarball of Node for Linux, verbatim; the runtime is `package/bin/node` inside. */
export const nodeTarball = 'runtime/node.tgz';
/** The Compose plugin: in a full bundle a file, in a thin one a download. */
export const composePlugin = 'runtime/docker-compose';
/** The server's program, one file of plain JavaScript. */
export const program = 'program/landfall.mjs';
/** What the release is made of, as CycloneDX in JSON. */
export const sbom = 'sbom.cdx.json';
/** The folder of the stack. */
export const composeFolder = 'compose';
/** The folder of the models' blobs. */
export const modelsFolder = 'models';

/** The path of a blob of a model; apart from those of images, which go once they are loaded. */
export function modelBlobPath(digest: Digest): string {
  return `${modelsFolder}/sha256/${hexOf(digest)}`;
}
