import { styleText } from 'node:util';
import { type Paint, unpainted } from '#contract/text/paint.ts';
import type { Screen } from './screen.ts';

/**
 * Returns the text styles of a stream: colour on terminals, unless `NO_COLOR` (no-color.org) or
 * `TERM=dumb`.
 */
export function paintFor({ isTTY }: Screen, env: NodeJS.ProcessEnv): Paint {
  if (!isTTY || env.NO_COLOR || env.TERM === 'dumb') return unpainted;
  return (style, text) => styleText(style, text, { validateStream: false });
}
