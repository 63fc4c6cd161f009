import { styleText } from 'node:util';
import { wantsColour } from '#terminal/screen.ts';

export type Style = (format: 'bold' | 'dim' | 'red' | 'yellow' | 'green', text: string) => string;

/** How texts are painted on a stream, which is not at all where it takes no colour. */
export function styleFor(stream: NodeJS.WritableStream, env: NodeJS.ProcessEnv): Style {
  return wantsColour(stream, env)
    ? (format, text) => styleText(format, text, { validateStream: false })
    : plain;
}

const plain: Style = (_format, text) => text;
