import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { adviceOnWords } from './words.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Files of the project with prose: code, documents and the bootstrap. */
function prose(): string[] {
  const folders = ['appliance', 'builder', 'compose', 'docs', 'test'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((path) =>
      join(folder, path),
    ),
  );
  const files = readdirSync(root).filter((path) => path.endsWith('.md'));
  return [...folders, ...files]
    .filter((path) => /\.(?:ts|mjs|md|py)$|\/bootstrap$/.test(path))
    .filter((path) => statSync(join(root, path)).isFile())
    .filter((path) => !/^(?:builder\/prebuilt|test\/output|test\/structure\/words)/.test(path));
}

describe('the word list', () => {
  it('finds a word and says what to write instead', () => {
    expect(adviceOnWords('// Nobody listens there.')).toEqual([
      '"Nobody": name the actor (the user, sshd, another process) or use the passive',
    ]);
    expect(adviceOnWords('starts by itself')).toEqual([
      '"by itself": automatically, alone, or leave it out',
    ]);
  });

  it('leaves the Unix account alone', () => {
    expect(adviceOnWords('User=nobody')).toEqual([]);
  });
});

describe('the prose of the project', () => {
  it('uses none of the words that the style avoids', () => {
    const found = prose().flatMap((path) =>
      readFileSync(join(root, path), 'utf8')
        .split('\n')
        .flatMap((line, index) =>
          adviceOnWords(line).map((advice) => `${path}:${index + 1} ${advice}`),
        ),
    );
    expect(found).toEqual([]);
  });
});
