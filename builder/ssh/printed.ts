import { z } from 'zod';
import { LandfallError, type Problem } from '#contract/errors.ts';
import { stripEscapeSequences } from '#contract/text/escape-sequences.ts';
import { plainLine } from '#contract/text/plain-line.ts';
import { unprintable } from '#contract/text/unprintable.ts';

/** How many lines of a failed command an error shows. */
const maxLines = 5;
/** Longer texts are cut. Characters. */
const maxText = 1 << 20;
/** Longer lines are cut. Characters. */
const maxLine = 2000;

/** Returns the last lines that a failed command printed, as plain text: the server chooses them. */
export function lastLines(printed: string): Problem[] {
  const lines = printed
    .slice(-maxText)
    .split('\n')
    .map((line) => plainLine(line, 300));
  return lines
    .filter((line) => line !== '')
    .slice(-maxLines)
    .map((message) => ({ message }));
}

/** Returns a text of the server without colours, cursor movement and hidden characters. */
export function plainText(printed: string): string {
  return printed
    .slice(0, maxText)
    .split('\n')
    .map((line) => stripEscapeSequences(line.slice(0, maxLine)).replace(unprintable, ' '))
    .join('\n');
}

/**
 * Returns the JSON object that a command printed, on one line of printable characters.
 * @throws LandfallError COMMAND_FAILED
 */
export function plainJson(printed: string): string {
  try {
    return JSON.stringify(z.looseObject({}).parse(JSON.parse(printed))).replace(unprintable, ' ');
  } catch {
    // No cause: its message contains what the server printed.
    throw new LandfallError('COMMAND_FAILED', 'the server printed no valid JSON', {
      hint: 'Run on the server: sudo landfall report',
    });
  }
}
