import { escapeHtml } from '#contract/text/plain-line.ts';
import type { SmokeResult } from './smoke-test.ts';

/** Formats results as JUnit XML for CI systems. */
export function junitReport(results: readonly SmokeResult[]): string {
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length;
  const totals = `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuite name="landfall smoke" ${totals}>`,
    ...results.map(testCase),
    '</testsuite>',
    '',
  ].join('\n');
}

function testCase({ name, title, outcome, took, detail = '', lookAt = '' }: SmokeResult): string {
  const attributes = `classname="landfall.smoke" name="${escapeXml(`${name}: ${title}`)}" time="${took / 1000}"`;
  if (outcome === 'passed' && detail === '') return `  <testcase ${attributes}/>`;
  const message = escapeXml(detail);
  const inner = {
    passed: `<system-out>${message}</system-out>`,
    failed: `<failure message="${message}">${escapeXml(`look at: ${lookAt}`)}</failure>`,
    skipped: `<skipped message="${message}"/>`,
  }[outcome];
  return `  <testcase ${attributes}>${inner}</testcase>`;
}

/** Escapes text. XML 1.0 does not allow control characters, not even as references. */
function escapeXml(text: string): string {
  return escapeHtml(text.replaceAll(/[^\t\n\r -\ud7ff\ue000-\ufffd]/g, '\ufffd'));
}
