import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { adviceOnChinese, adviceOnWords, chineseTermsIn } from './words.ts';

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

const terms = chineseTermsIn(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8'));

describe('the table of Chinese terms', () => {
  it('rejects an ambiguous word, and not the terms that contain it', () => {
    expect(adviceOnChinese('服务商的控制台', terms)).toEqual([expect.stringMatching(/^"服务商"/)]);
    expect(adviceOnChinese('云服务商、模型服务商、代理服务商', terms)).toEqual([]);
    expect(adviceOnChinese('验证签名，再比对校验值', terms)).toEqual([]);
    expect(adviceOnChinese('校验签名', terms)).toEqual(['"校验": 验证']);
  });
});

describe('the prose of the project', () => {
  it('uses none of the Chinese words that the table avoids', () => {
    const found = prose()
      // Tests quote other languages and users.
      .filter((path) => path !== 'CONTRIBUTING.md' && !path.startsWith('test/'))
      .flatMap((path) =>
        readFileSync(join(root, path), 'utf8')
          .split('\n')
          .flatMap((line, index) =>
            adviceOnChinese(line, terms).map((advice) => `${path}:${index + 1} ${advice}`),
          ),
      );
    expect(found).toEqual([]);
  });

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
