import { useEffect, useMemo, useState } from 'preact/hooks';
import { LandfallError } from '#contract/errors.ts';
import { type Language, languages, setLanguage } from '#contract/text/language.ts';
import { decodeText } from '#yaml/decode-text.ts';
import type { PageFacts } from '../facts.ts';
import { ErrorBox } from './error-box.tsx';
import { judgeSite } from './form/judge-site.ts';
import { attempt, type Outcome } from './outcome.ts';
import {
  filesIn,
  type GivenFile,
  isReleaseFile,
  loadBeside,
  maxFileBytes,
  verifyRelease,
} from './release.ts';
import { type Choices, pasteOf } from './result.ts';
import { say } from './say.ts';
import { CheckStep } from './steps/check.tsx';
import { PasteStep } from './steps/paste.tsx';
import { ReadStep } from './steps/read.tsx';
import { ReleaseStep } from './steps/release.tsx';
import { ServerStep } from './steps/server.tsx';

/** The page: four steps in one column. Nothing is stored, and nothing is sent. */
export function App({ facts }: { readonly facts: PageFacts | undefined }) {
  const [language, chooseLanguage] = useState<Language>(languageOfBrowser);
  setLanguage(language);
  const [files, setFiles] = useState<readonly GivenFile[]>(() => filesIn(facts));
  const [refused, setRefused] = useState<LandfallError>();
  const [choices, setChoices] = useState<Choices>(nothingChosen);
  const change = (changes: Partial<Choices>) => setChoices((now) => ({ ...now, ...changes }));

  const addFiles = async (chosen: Iterable<File>) => {
    const outcomes = await Promise.all([...chosen].map(readFile));
    const given = outcomes.flatMap(({ value }) => value ?? []);
    const yaml = given.find(({ name }) => /\.ya?ml$/.test(name));
    const text = yaml && attempt(() => decodeText(yaml.bytes, yaml.name));
    if (text?.value !== undefined) change({ site: text.value });
    setRefused([...outcomes, text].find((outcome) => outcome?.error)?.error);
    const release = given.filter(({ name }) => isReleaseFile(name));
    setFiles((before) => [
      ...before.filter(({ name }) => !release.some((file) => file.name === name)),
      ...release,
    ]);
  };

  useEffect(() => {
    document.documentElement.lang = language === 'zh' ? 'zh-CN' : 'en';
    document.title = title();
  }, [language]);
  useEffect(() => {
    if (facts && !facts.files && /^https?:$/.test(location.protocol)) {
      loadBeside(location.href, facts).then((loaded) => setFiles((now) => [...loaded, ...now]));
    }
  }, [facts]);
  useEffect(() => acceptDrops(addFiles), []);

  // Errors are in the language of the page.
  const release = useMemo(() => verifyRelease(files, facts, new Date()), [files, facts, language]);
  const { site: text, allowsRoutePassword } = choices;
  const judged = useMemo(
    () => judgeSite(text, allowsRoutePassword),
    [text, allowsRoutePassword, language],
  );
  const { site } = judged;
  const paste = useMemo(
    () => (release?.value && site ? pasteOf(release.value, site, choices) : undefined),
    [release, site, choices],
  );
  const releases = release?.value?.releases ?? [];

  return (
    <main>
      <header>
        <h1>{title()}</h1>
        <p>
          {say(
            'Makes the text that you paste when you rent a server. Nothing that you enter leaves this page.',
            '生成租用服务器时要粘贴的内容。您填写的内容不会离开这个页面。',
          )}
        </p>
        <fieldset class="languages">
          <legend>{say('Language', '语言')}</legend>
          {languages.map((each) => (
            <label key={each}>
              <input
                type="radio"
                name="language"
                checked={each === language}
                onChange={() => chooseLanguage(each)}
              />
              {languageNames[each]}
            </label>
          ))}
        </fieldset>
      </header>
      {refused && <ErrorBox error={refused} />}
      <ReleaseStep facts={facts} outcome={release} onFiles={addFiles} />
      <ServerStep {...{ facts, choices, judged, language }} onChange={change} onFiles={addFiles} />
      <CheckStep site={site} paste={paste?.value} releases={releases} />
      <PasteStep
        choices={choices}
        outcome={paste}
        hasRelease={release?.value !== undefined}
        hasSite={site !== undefined}
        onChange={change}
      />
      <ReadStep releases={releases} />
    </main>
  );
}

const languageNames = { en: 'English', zh: '简体中文' };

const title = () => say('A private AI server from one paste', '粘贴一次，部署私有 AI 服务器');

const nothingChosen: Choices = {
  site: '',
  provider: undefined,
  format: undefined,
  allowsRoutePassword: false,
};

function languageOfBrowser(): Language {
  return /^zh/i.test(navigator.language) ? 'zh' : 'en';
}

/** Reads a file, unless it is larger than any file that the page reads. */
async function readFile(file: File): Promise<Outcome<GivenFile>> {
  const { name, size } = file;
  if (size <= maxFileBytes) {
    return { value: { name, bytes: new Uint8Array(await file.arrayBuffer()) } };
  }
  return {
    error: new LandfallError('CONFIG_TOO_LARGE', `${name} is too large: ${size} bytes`, {
      hint: {
        en: 'Choose release.json, its .sig file, release.pub or site.yaml, not the bundle.',
        zh: '请选择 release.json、它的 .sig 文件、release.pub 或 site.yaml，而不是发布包。',
      },
    }),
  };
}

/** Takes files that are dropped anywhere on the page. Returns what undoes it. */
function acceptDrops(onFiles: (files: Iterable<File>) => void): () => void {
  const over = (event: DragEvent) => event.preventDefault();
  const drop = (event: DragEvent) => {
    event.preventDefault();
    onFiles(event.dataTransfer?.files ?? []);
  };
  addEventListener('dragover', over);
  addEventListener('drop', drop);
  return () => {
    removeEventListener('dragover', over);
    removeEventListener('drop', drop);
  };
}
