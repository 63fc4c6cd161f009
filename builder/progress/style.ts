import { styleText } from 'node:util';
import { wantsColour } from '#terminal/screen.ts';

export type Style = (format: 'bold' | 'dim' | 'red' | 'yellow' | 'green', text: string) => string;

/** Returns the text styles of a stream; plain text when it does not support colour. */
export function styleFor(stream: NodeJS.WritableStream, env: NodeJS.ProcessEnv): Style {
  return wantsColour(stream, env)
    ? (format, text) => styleText(format, text, { validateStream: false })
    : plain;
}

const plain: Style = (_format, text) => text;
