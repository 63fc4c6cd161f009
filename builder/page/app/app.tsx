import { useEffect, useMemo, useState } from 'preact/hooks';
import type { LandfallError } from '#contract/errors.ts';
import { type Language, languages, setLanguage } from '#contract/text/language.ts';
import type { PageFacts } from '../facts.ts';
import { ErrorBox } from './error-box.tsx';
import { judgeSite } from './form/judge-site.ts';
import { sortFiles } from './given-files.ts';
import { filesIn, type GivenFile, loadBeside, loadChannel, verifyRelease } from './release.ts';
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
  const [other, setOther] = useState<Uint8Array>();
  const [choices, setChoices] = useState<Choices>(nothingChosen);
  const change = (changes: Partial<Choices>) => setChoices((now) => ({ ...now, ...changes }));

  const addFiles = async (chosen: Iterable<File>) => {
    const { release, site, other, refused } = await sortFiles(chosen);
    if (site !== undefined) change({ site });
    if (other) setOther(other);
    setRefused(refused);
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
    if (!facts || !/^https?:$/.test(location.protocol)) return;
    const add = (loaded: readonly GivenFile[]) => setFiles((now) => [...loaded, ...now]);
    loadChannel(location.href, facts).then(add);
    if (!facts.files) loadBeside(location.href, facts).then(add);
  }, [facts]);
  useEffect(() => acceptDrops(addFiles), []);

  // Errors are in the language of the page.
  const release = useMemo(() => verifyRelease(files, facts, new Date()), [files, facts, language]);
  const { site: text, allowsRoutePassword, memory } = choices;
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
      <ServerStep
        {...{ facts, choices, judged, language, release: releases[0]?.release }}
        onChange={change}
        onFiles={addFiles}
      />
      <CheckStep {...{ site, releases, memory }} paste={paste?.value} />
      <PasteStep
        choices={choices}
        outcome={paste}
        hasRelease={release?.value !== undefined}
        site={site}
        onChange={change}
      />
      <ReadStep releases={releases} bytes={other} onRead={setOther} />
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
  memory: undefined,
};

function languageOfBrowser(): Language {
  return /^zh/i.test(navigator.language) ? 'zh' : 'en';
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
