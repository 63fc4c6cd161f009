import { setOutput, summary } from '@actions/core';
import { formatBytes } from '#contract/text/format-bytes.ts';
import { formatKeyId } from '#contract/trust/keys.ts';
import type { BundleFiles } from './built.ts';

/** Sets the outputs of the Action. Lists have one path per line. */
export function setOutputs(bundles: readonly BundleFiles[], keyId: string): void {
  setOutput('bundles', bundles.flatMap(({ tars }) => tars).join('\n'));
  setOutput('manifests', bundles.map(({ manifest }) => manifest).join('\n'));
  setOutput('key-id', keyId);
}

/** Writes the job summary: a table of the bundles, and the key ID to compare. */
export async function writeSummary(bundles: readonly BundleFiles[], keyId: string): Promise<void> {
  const header = ['Bundle', 'Size', 'SHA-256 of release.json'];
  const rows = bundles.map(({ name, tars, size, manifestSha256 }) => [
    escapeHtml(tars.length > 1 ? `${name} (${tars.length} parts)` : name),
    formatBytes(size),
    `<code>${escapeHtml(manifestSha256)}</code>`,
  ]);
  await summary
    .addHeading('Bundles', 2)
    .addTable([header.map((data) => ({ data, header: true })), ...rows])
    .addRaw(`Key ID: <code>${formatKeyId(keyId)}</code> (SHA-256 ${keyId})`, true)
    .write();
}

function escapeHtml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
