import { Transform } from 'node:stream';
import { z } from 'zod';
import { type ErrorCode, LandfallError, type Problem } from '#contract/errors.ts';
import { stripEscapeSequences } from '#contract/text/display-width.ts';
import type { Text } from '#contract/text/language.ts';
import { plainLine, unprintable } from '#contract/text/plain-line.ts';

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
      hint: {
        en: 'Run on the server: sudo landfall report',
        zh: '在服务器上运行：sudo landfall report',
      },
    });
  }
}

interface Failure {
  /** What OpenSSH prints; it has one exit code, 255, for all of its failures. */
  readonly printed: RegExp;
  readonly code: ErrorCode;
  readonly hint: Text;
}

const failures: readonly Failure[] = [
  {
    printed: /REMOTE HOST IDENTIFICATION HAS CHANGED/,
    code: 'SSH_HOST_KEY',
    hint: {
      en: 'Compare the fingerprint with the one in the console of your provider. If the server was reinstalled, forget the old key with: ssh-keygen -R <host>',
      zh: '与云服务商控制台里的指纹核对。如果重装过系统，请删除旧密钥：ssh-keygen -R <地址>',
    },
  },
  {
    printed: /Host key verification failed|host key is known for/i,
    code: 'SSH_HOST_KEY',
    hint: {
      en: 'Log in once with ssh on a terminal, compare the fingerprint with the one in the console of your provider, and accept it.',
      zh: '先在终端中用 ssh 登录一次，与云服务商控制台里的指纹核对后接受。',
    },
  },
  {
    printed: /Permission denied|Too many authentication failures|no mutual signature/i,
    code: 'SSH_DENIED',
    hint: {
      en: 'Check the user name, and log in once with ssh and the same key or password. A key in another file needs --identity.',
      zh: '检查用户名，并用同样的密钥或密码以 ssh 登录一次。密钥在其他文件中时，请加上 --identity。',
    },
  },
  {
    printed: /Could not resolve hostname|Name or service not known/i,
    code: 'SSH_UNREACHABLE',
    hint: {
      en: 'Check the name of the server, or use its address.',
      zh: '检查服务器的名称，或改用 IP 地址。',
    },
  },
];

const anyFailure = {
  en: 'Check the address, the port and your network, and try again.',
  zh: '检查地址、端口和您的网络，再试一次。',
};

/** Returns the error for a connection that `ssh` could not open or that ended. */
export function sshFailure(destination: string, printed: string): LandfallError {
  const failure = failures.find((each) => each.printed.test(printed));
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  const why = plainLine(lines.at(-1) ?? 'the connection was closed', 300);
  return new LandfallError(
    failure?.code ?? 'SSH_UNREACHABLE',
    `no SSH connection to ${destination}: ${why}`,
    { hint: failure?.hint ?? anyFailure },
  );
}

/** What `landfall status --watch` draws with: cursor up, clear to the end, colours. */
const allowed = '\\u001b\\[[\\d;]{0,20}[AJm]';
/** Other control characters, and characters that reverse or hide text. */
const refused =
  '[\\u0000-\\u0008\\u000b\\u000c\\u000e-\\u001f\\u007f-\\u009f\\u202a-\\u202e\\u2066-\\u2069]';
const pattern = new RegExp(`(${allowed})|${refused}`, 'g');
/** The beginning of a sequence whose rest is in the next chunk. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters.
const unfinished = /\u001b(?:\[[\d;]{0,20})?$/;

/**
 * Returns a stream that passes text and the sequences of live rows on. A hostile server could otherwise
 * write to the clipboard or send input through the terminal of the user.
 */
export function screenFilter(): Transform {
  const decoder = new TextDecoder();
  let kept = '';
  return new Transform({
    transform(chunk: Buffer, _, done) {
      const text = kept + decoder.decode(chunk, { stream: true });
      kept = unfinished.exec(text)?.[0] ?? '';
      const complete = text.slice(0, text.length - kept.length);
      done(
        null,
        complete.replace(pattern, (_, sequence = '') => sequence),
      );
    },
  });
}
