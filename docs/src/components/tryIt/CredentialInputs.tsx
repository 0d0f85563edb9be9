import { useState, type ReactNode, type SubmitEvent } from 'react';
import { getText, Labelled } from './Labelled';
import { continueSession, setCredentials, signIn, useCredentials } from './session';

/** Input for an access token: paste one, or sign in. */
export const TokenInput = (): ReactNode => {
  const { token } = useCredentials();
  const [problem, setProblem] = useState('');
  const attempt = (work: Promise<void>): void => {
    setProblem('');
    work.catch((error: Error) => setProblem(error.message));
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    const data = new FormData(event.currentTarget);
    attempt(signIn(getText(data, 'username'), getText(data, 'password')));
  };
  return (
    <>
      <Labelled label="Access token">
        {(id) => (
          <input
            id={id}
            type="password"
            autoComplete="off"
            value={token}
            onChange={(event) => setCredentials({ token: event.target.value.trim() })}
          />
        )}
      </Labelled>
      {token === '' && (
        <form className="tryItSignIn" onSubmit={submit}>
          <Labelled label="User name">
            {(id) => <input id={id} name="username" autoComplete="username" required />}
          </Labelled>
          <Labelled label="Password">
            {(id) => <input id={id} name="password" type="password" autoComplete="current-password" required />}
          </Labelled>
          <div className="tryItButtons">
            <button type="submit" className="button button--secondary button--sm">
              Sign in
            </button>
            <button
              type="button"
              className="button button--secondary button--sm"
              onClick={() => attempt(continueSession())}
            >
              Use this browser’s session
            </button>
          </div>
        </form>
      )}
      {problem !== '' && <p role="alert">{problem}</p>}
    </>
  );
};

export const AdminInput = (): ReactNode => {
  const { adminPassword } = useCredentials();
  return (
    <Labelled label="Administrator’s password">
      {(id) => (
        <input
          id={id}
          type="password"
          autoComplete="off"
          value={adminPassword}
          onChange={(event) => setCredentials({ adminPassword: event.target.value })}
        />
      )}
    </Labelled>
  );
};
