/** Where a bundle keeps what the server looks for by name. */

/** npm's tarball of Node for Linux, verbatim; the runtime is `package/bin/node` inside. */
export const nodeTarball = 'runtime/node.tgz';
/** The Compose plugin: in a full bundle a file, in a thin one a download. */
export const composePlugin = 'runtime/docker-compose';
/** The server's program, one file of plain JavaScript. */
export const program = 'program/landfall.mjs';
/** The folder of the stack. */
export const composeFolder = 'compose';
