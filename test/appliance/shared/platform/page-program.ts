import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { build } from 'esbuild';
import type { verifyBundle } from '#contract/bundle/verify.ts';
import type { readPublicKey } from '#contract/trust/keys.ts';
import type { parseSite } from '#explain/parse-site.ts';
import type { parseYaml } from '#yaml/parse.ts';
import { text } from '../../../../appliance/shared/platform/node/text.ts';
import { textNames } from '../../../../appliance/shared/platform/text-names.ts';
import type { describeExplanation } from '../../../../builder/deliver/explain/describe.ts';
import type { explainPaste } from '../../../../builder/deliver/explain/explain-paste.ts';
import type { renderUserData } from '../../../../builder/deliver/user-data/render.ts';

/** The exports that a page uses. */
export interface PageProgram {
  readonly describeExplanation: typeof describeExplanation;
  readonly explainPaste: typeof explainPaste;
  readonly parseSite: typeof parseSite;
  readonly parseYaml: typeof parseYaml;
  readonly readPublicKey: typeof readPublicKey;
  readonly renderUserData: typeof renderUserData;
  readonly verifyBundle: typeof verifyBundle;
}

const source = `
  export { verifyBundle } from '#contract/bundle/verify.ts';
  export { readPublicKey } from '#contract/trust/keys.ts';
  export { parseSite } from '#explain/parse-site.ts';
  export { parseYaml } from '#yaml/parse.ts';
  export { describeExplanation } from './builder/deliver/explain/describe.ts';
  export { explainPaste } from './builder/deliver/explain/explain-paste.ts';
  export { renderUserData } from './builder/deliver/user-data/render.ts';
`;

/** Bundles a program like for a page, and runs it in a context without Node. */
export async function startPageProgram(): Promise<PageProgram> {
  const root = fileURLToPath(new URL('../../../..', import.meta.url));
  const texts = Object.fromEntries(textNames.map((name) => [name, text(name)]));
  const { outputFiles } = await build({
    stdin: { contents: source, resolveDir: root, loader: 'ts' },
    bundle: true,
    platform: 'browser',
    format: 'iife',
    globalName: 'program',
    define: { bundledTexts: JSON.stringify(texts) },
    write: false,
  });
  // Globals of every browser. WebCrypto is missing on plain http.
  const globals = { atob, btoa, structuredClone, TextDecoder, TextEncoder, URL };
  return runInNewContext(`${outputFiles[0]?.text}; program`, globals) as PageProgram;
}
