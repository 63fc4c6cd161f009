import { styleText } from 'node:util';

export type Style = (format: 'bold' | 'dim' | 'red' | 'yellow' | 'green', text: string) => string;

/** Colour for terminals only; `NO_COLOR` (no-color.org) and `TERM=dumb` turn it off. */
export function styleFor(stream: NodeJS.WritableStream, env: NodeJS.ProcessEnv): Style {
  const terminal = 'isTTY' in stream && stream.isTTY === true;
  const wanted = terminal && !env.NO_COLOR && env.TERM !== 'dumb';
  return wanted ? (format, text) => styleText(format, text, { validateStream: false }) : plain;
}

const plain: Style = (_format, text) => text;
