import { render } from 'preact';
import { setChineseRows } from '#contract/text/translated.ts';
import { bundleRows } from '../../base/chinese/bundles.ts';
import { deliveryRows } from '../../base/chinese/delivery.ts';
import { inputRows } from '../../base/chinese/inputs.ts';
import type { PageFacts } from '../facts.ts';
import { App } from './app.tsx';

setChineseRows({ ...bundleRows, ...deliveryRows, ...inputRows });
const facts = JSON.parse(document.getElementById('facts')?.textContent ?? 'null') as
  | PageFacts
  | undefined;
const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<App facts={facts ?? undefined} />, page);
}
