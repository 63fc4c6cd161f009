import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateSync } from 'fflate';
import { encodeUtf8, toBase64 } from '#contract/text/bytes.ts';
import { escapeHtml } from '#contract/text/plain-line.ts';
import { sha256 } from '#platform/sha256.ts';
import { text } from '#platform/text.ts';
import { textNames } from '../../appliance/shared/platform/text-names.ts';
import { licensesOf, packagesOf } from '../bundle/archive/bundled-program.ts';
import { fieldMeanings } from '../inputs/config/reference/render.ts';
import type { PageFacts } from './facts.ts';
import { leanPackages } from './lean-packages.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Builds the page that makes user-data in a browser: one HTML file, which loads nothing but the `release.json` beside
 * it. The output is reproducible.
 * @param facts the release that the page belongs to; without, users choose its files
 */
export async function buildPage(facts?: PageFacts): Promise<Uint8Array> {
  const [program, loader, style] = await Promise.all([
    bundled('main.tsx'),
    bundled('load.ts'),
    bundled('style.css'),
  ]);
  const licenses = licensesOf(await packagesOf(program.files, root));
  return encodeUtf8(
    htmlOf({ program: program.text, loader: loader.text, style: style.text, licenses }, facts),
  );
}

/** Bundles a file of the page and returns its text, minified, with the files that are in it. */
async function bundled(name: string) {
  // The npm package does without esbuild.
  const { build } = await import('esbuild');
  const texts = Object.fromEntries(textNames.map((name) => [name, text(name)]));
  const meanings = fieldMeanings(await readFile(join(root, 'docs/zh/site.md'), 'utf8'));
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    preserveSymlinks: true,
    entryPoints: [`builder/page/app/${name}`],
    bundle: true,
    platform: 'browser',
    // `DecompressionStream` and `Object.groupBy` of 2024.
    target: ['chrome120', 'firefox121', 'safari17.4'],
    format: 'iife',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    define: {
      bundledTexts: JSON.stringify(texts),
      chineseMeanings: JSON.stringify(Object.fromEntries(meanings)),
    },
    plugins: [leanPackages],
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'silent',
    write: false,
    metafile: true,
  });
  return { text: outputFiles[0]?.text.trim() ?? '', files: Object.keys(metafile.inputs) };
}

/** Texts of the page. */
interface Parts {
  readonly program: string;
  readonly loader: string;
  readonly style: string;
  /** Of the packages in the program, which copies must contain. */
  readonly licenses: string;
}

/** The program is compressed, by a library whose output does not depend on the machine, unlike that of zlib. */
function htmlOf({ program, loader, style, licenses }: Parts, facts: PageFacts | undefined): string {
  const policy = [
    "default-src 'none'",
    `script-src '${hashOf(loader)}' '${hashOf(program)}'`,
    `style-src '${hashOf(style)}'`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  const compressed = toBase64(deflateSync(encodeUtf8(program), { level: 9 }));
  const data = JSON.stringify(facts ?? null).replaceAll('<', '\\u003c');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="content-security-policy" content="${policy}">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Landfall</title>
<style>${style}</style>
</head>
<body>
<div id="page"><noscript>This page needs JavaScript. 这个页面需要 JavaScript。</noscript></div>
<footer><details><summary lang="mul">Licenses 许可证</summary><pre>${escapeHtml(licenses)}</pre></details></footer>
<script type="application/json" id="facts">${data}</script>
<script type="text/plain" id="program">${compressed}</script>
<script>${loader}</script>
</body>
</html>
`;
}

/** Returns the source expression of an inline text (Content Security Policy 3, section 2.3.1). */
function hashOf(content: string): string {
  return `sha256-${toBase64(sha256(encodeUtf8(content)))}`;
}
