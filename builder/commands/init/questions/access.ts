import { LandfallError } from '#contract/errors.ts';
import { commonProviders } from '#contract/site/certificates/common-providers.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import {
  type Answers,
  certifiesNames,
  defaultTls,
  defaultUser,
  usesAuthority,
} from '../answers.ts';
import { correctHost, flawOf, isAddress } from '../check-answers.ts';
import { back, type Question, question, selectQuestion, textQuestion } from '../prompts.ts';
import { findSshKeys, readSshKey, shortened } from '../ssh-keys.ts';
import { texts } from '../texts.ts';

/** Where keys are found, and the login name. */
export interface AccessFacts {
  readonly home: string | undefined;
  readonly cwd: string;
  readonly user: string | undefined;
}

/** The choice of a DNS provider that is not in the list. */
const other = 'other';

const needsAuthority = ({ tls }: Answers) => tls !== undefined && usesAuthority(tls);

/** Returns the questions for the SSH login, the host name, its certificate and the chat's account. */
export function accessQuestions(facts: AccessFacts): Question[] {
  const { user = defaultUser } = facts;
  return [
    keysQuestion(facts),
    hostQuestion,
    // Offers only certificates that fit: for the host name, or for the IP address without one.
    selectQuestion(
      'tls',
      ({ uiHost }) => ({
        ...(uiHost ? { acme: texts().tlsHost } : { 'acme-ip': texts().tlsAddress }),
        internal: texts().tlsInternal,
        custom: texts().tlsCustom,
      }),
      undefined,
      defaultTls,
    ),
    selectQuestion(
      'httpPort',
      () => ({ open: texts().httpOpen, blocked: texts().httpBlocked }),
      ({ tls }) => certifiesNames(tls),
    ),
    providerQuestion,
    termsQuestion,
    textQuestion('email', (answers) => ({
      message: needsAuthority(answers) ? texts().emailForAuthority : texts().email(user),
      placeholder: 'me@example.com',
      required: needsAuthority(answers),
    })),
  ];
}

function keysQuestion(facts: AccessFacts): Question {
  return question('sshKeys', async (prompts, _answers, { sshKeys }) => {
    const found = await findSshKeys(facts.home);
    if (found.length > 0) {
      const choices = found.map((key) => ({ value: key, label: shortened(key) }));
      return await prompts.selectSeveral(texts().sshKeys, choices, sshKeys ?? found, true);
    }
    const answer = await prompts.text({
      message: texts().sshKey,
      required: true,
      initialValue: sshKeys?.[0],
      flaw: (value) => flawOfKey(value, facts),
    });
    return answer === back ? back : [readSshKey(answer, facts)];
  });
}

function flawOfKey(value: string, facts: AccessFacts): string | undefined {
  try {
    readSshKey(value, facts);
    return undefined;
  } catch (error) {
    if (error instanceof LandfallError) return formatProblem(error);
    throw error;
  }
}

const hostQuestion = question('uiHost', (prompts, { tls }, { uiHost: initialValue }) => {
  const required = certifiesNames(tls);
  // English readers see it with the mirrors of mainland China.
  if (currentLanguage() === 'zh') prompts.note(texts().filing);
  return prompts.text({
    message: required ? texts().uiHostNeeded : texts().uiHost,
    placeholder: 'chat.example.com',
    initialValue,
    required,
    correct: correctHost,
    flaw: (value) => (isAddress(value) ? texts().addressIsNoHost : flawOf('uiHost', value)),
  });
});

/** The most common providers, or the name of any other. */
const providerQuestion = question(
  'dnsProvider',
  async (prompts, _answers, { dnsProvider: earlier }) => {
    const known = Object.entries(commonProviders).map(([value, { title }]) => {
      return { value, label: value === 'rfc2136' ? texts().ownNameServer : title };
    });
    const choices = [...known, { value: other, label: texts().otherProvider }];
    const isOther = earlier !== undefined && !(earlier in commonProviders);
    for (;;) {
      const initial = isOther ? other : (earlier ?? 'alidns');
      const reply = await prompts.select<string>(texts().dnsProvider, choices, initial);
      if (reply !== other) return reply;
      const name = await prompts.text({
        message: texts().providerName,
        placeholder: 'gandiv5',
        initialValue: isOther ? earlier : undefined,
        required: true,
        flaw: (value) => flawOf('dnsProvider', value),
      });
      if (name !== back) return name;
    }
  },
  ({ tls, httpPort }) => certifiesNames(tls) && httpPort === 'blocked',
);

const termsQuestion: Question = {
  name: 'acceptTerms',
  applies: needsAuthority,
  ask: async (prompts) => {
    const answer = await prompts.confirm(texts().terms, false);
    if (answer === back) return back;
    if (answer) return { acceptTerms: true };
    prompts.warn(texts().termsNeeded);
    return { tls: undefined };
  },
};
