import { render } from 'preact';
import type { PageFacts } from '../facts.ts';
import { App } from './app.tsx';

const facts = JSON.parse(document.getElementById('facts')?.textContent ?? 'null') as
  | PageFacts
  | undefined;
const page = document.getElementById('page');
if (page) {
  page.replaceChildren();
  render(<App facts={facts ?? undefined} />, page);
}
