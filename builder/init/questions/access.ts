import { LandfallError } from '#contract/errors.ts';
import { currentLanguage } from '#contract/text/language.ts';
import { formatProblem } from '#contract/text/problem.ts';
import { defaultUser, usesAuthority } from '../answers.ts';
import { correctHost, isAddress } from '../corrections.ts';
import { flawOf } from '../flaw-of.ts';
import type { Given } from '../given.ts';
import { back } from '../prompts.ts';
import { findSshKeys, readSshKey, shortened } from '../ssh-keys.ts';
import { texts } from '../texts.ts';
import { defaultTls } from '../without-asking.ts';
import type { Question } from '../wizard.ts';

/** Where keys are found, and the login name. */
export interface AccessFacts {
  readonly home: string | undefined;
  readonly cwd: string;
  readonly user: string | undefined;
}

/** Returns the questions for the SSH login, the host name, its certificate and the chat's account. */
export function accessQuestions(facts: AccessFacts): Question[] {
  return [keysQuestion(facts), hostQuestion, tlsQuestion, termsQuestion, emailQuestion(facts)];
}

function keysQuestion(facts: AccessFacts): Question {
  return {
    name: 'sshKeys',
    ask: async (prompts, _given, earlier) => {
      const found = await findSshKeys(facts.home);
      if (found.length > 0) {
        const choices = found.map((key) => ({ value: key, label: shortened(key) }));
        const options = { initialValues: earlier.sshKeys ?? found, required: true };
        const answer = await prompts.selectSeveral(texts().sshKeys, choices, options);
        return answer === back ? back : { sshKeys: answer };
      }
      const initialValue = earlier.sshKeys?.[0];
      const flaw = (value: string) => flawOfKey(value, facts);
      const question = { message: texts().sshKey, required: true, initialValue, flaw };
      const answer = await prompts.text(question);
      return answer === back ? back : { sshKeys: [readSshKey(answer, facts)] };
    },
  };
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

const hostQuestion: Question = {
  name: 'uiHost',
  ask: async (prompts, given, earlier) => {
    const required = given.tls === 'acme' || given.tls === 'acme-staging';
    // English readers see it with the mirrors of mainland China.
    if (currentLanguage() === 'zh') prompts.note(texts().filing);
    const answer = await prompts.text({
      message: required ? texts().uiHostNeeded : texts().uiHost,
      placeholder: 'chat.example.com',
      initialValue: earlier.uiHost,
      required,
      correct: correctHost,
      flaw: (value) => (isAddress(value) ? texts().addressIsNoHost : flawOf('uiHost', value)),
    });
    return answer === back ? back : { uiHost: answer };
  },
};

/** Offers only certificates that fit: for the host name, or for the IP address without one. */
const tlsQuestion: Question = {
  name: 'tls',
  ask: async (prompts, { uiHost = '', email, acceptTerms }, earlier) => {
    const authority =
      uiHost === ''
        ? ({ value: 'acme-ip', label: texts().tlsAddress } as const)
        : ({ value: 'acme', label: texts().tlsHost } as const);
    const choices = [
      authority,
      { value: 'internal', label: texts().tlsInternal },
      { value: 'custom', label: texts().tlsCustom },
    ] as const;
    const fallback = defaultTls({ uiHost, email, acceptTerms });
    const before = choices.find(({ value }) => value === earlier.tls)?.value;
    const first = choices.find(({ value }) => value === fallback)?.value;
    const answer = await prompts.select(texts().tls, choices, before ?? first ?? 'internal');
    return answer === back ? back : { tls: answer };
  },
};

const needsAuthority = ({ tls }: Given) => tls !== undefined && usesAuthority(tls);

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

function emailQuestion({ user = defaultUser }: AccessFacts): Question {
  return {
    name: 'email',
    ask: async (prompts, given, earlier) => {
      const required = needsAuthority(given);
      const answer = await prompts.text({
        message: required ? texts().emailForAuthority : texts().email(user),
        placeholder: 'me@example.com',
        initialValue: earlier.email,
        required,
        flaw: (value) => flawOf('email', value),
      });
      return answer === back ? back : { email: answer };
    },
  };
}
