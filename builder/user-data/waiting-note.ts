import { waitingNoteFile } from '#contract/server-paths.ts';
import type { BootSettings } from './boot-settings.ts';
import type { ServerFile } from './server-file.ts';

/**
 * Returns the note that the console of a waiting server shows above its login prompt. agetty(8)
 * replaces `\4` with the address of the server.
 */
export function waitingNote({ product, version }: BootSettings): ServerFile {
  return {
    path: `/${waitingNoteFile}`,
    content: [
      `This server waits for the bundle of ${product} ${version}. On your computer, run:`,
      '  landfall push <user>@\\4 --release <bundle>',
      "The user is that of the provider's image: root, debian or ubuntu.",
      '',
      '',
    ].join('\n'),
    secret: false,
  };
}
