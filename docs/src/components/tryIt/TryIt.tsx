import { useEffect, useRef, useState, type ReactNode, type SubmitEvent } from 'react';
import { AdminInput, TokenInput } from './CredentialInputs';
import { getText, Labelled } from './Labelled';
import type { TryItField, TryItOperation } from './operation';
import { Response } from './Response';
import { sendRequest, type ShownResponse } from './sendRequest';
import { detectHearth, useCredentials } from './session';

interface Props {
  readonly operation: TryItOperation;
}

/** Form that sends requests to an operation. Shown only where Hearth has the same origin as the site. */
export default function TryIt({ operation }: Props): ReactNode {
  const [isHere, setIsHere] = useState(false);
  useEffect(() => void detectHearth().then(setIsHere), []);
  if (!isHere) return undefined;
  return (
    <details className="tryIt">
      <summary>Try it</summary>
      {(operation.access === 'bearer' || operation.access === 'session') && <TokenInput />}
      {operation.access === 'basic' && <AdminInput />}
      <RequestForm operation={operation} />
    </details>
  );
}

const RequestForm = ({ operation }: Props): ReactNode => {
  const { method, fields, json, file } = operation;
  const credentials = useCredentials();
  const [response, setResponse] = useState<ShownResponse>();
  const [problem, setProblem] = useState('');
  const [isActive, setIsActive] = useState(false);
  const active = useRef<AbortController>(undefined);
  useEffect(() => () => active.current?.abort(), []);

  const send = async (data: FormData): Promise<void> => {
    const values = Object.fromEntries(fields.map(({ name }) => [name, getText(data, `field:${name}`)]));
    const upload = data.get('file');
    const controller = new AbortController();
    active.current = controller;
    setResponse(undefined);
    setProblem('');
    setIsActive(true);
    try {
      const form = {
        ...credentials,
        values,
        json: getText(data, 'json'),
        ...(upload instanceof File && upload.name !== '' && { file: upload }),
      };
      await sendRequest(operation, form, controller.signal, setResponse);
    } catch (error) {
      if (!controller.signal.aborted) setProblem(`No response: ${(error as Error).message}`);
    } finally {
      setIsActive(false);
    }
  };
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault();
    void send(new FormData(event.currentTarget));
  };

  return (
    <form onSubmit={submit}>
      {fields.map((field) => (
        <FieldInput key={field.name} field={field} />
      ))}
      {json !== undefined && (
        <Labelled label="Body (JSON)">
          {(id) => (
            <textarea
              id={id}
              name="json"
              rows={Math.min(14, json.split('\n').length + 1)}
              spellCheck={false}
              defaultValue={json}
            />
          )}
        </Labelled>
      )}
      {file !== undefined && (
        <Labelled label="File">{(id) => <input id={id} name="file" type="file" required={file === 'form'} />}</Labelled>
      )}
      <div className="tryItButtons">
        <button type="submit" className="button button--primary button--sm" disabled={isActive}>
          Send {method} request
        </button>
        {isActive && (
          <button type="button" className="button button--secondary button--sm" onClick={() => active.current?.abort()}>
            Stop
          </button>
        )}
      </div>
      <div aria-live="polite">
        {problem !== '' && <p>{problem}</p>}
        {response !== undefined && <Response response={response} />}
      </div>
    </form>
  );
};

const FieldInput = ({ field }: { readonly field: TryItField }): ReactNode => {
  const { name, isRequired, value, hint, options } = field;
  return (
    <Labelled label={isRequired ? `${name} (required)` : name}>
      {(id) =>
        options.length > 0 ? (
          <select id={id} name={`field:${name}`} defaultValue={value}>
            {!isRequired && <option value="" />}
            {options.map((option) => (
              <option key={option}>{option}</option>
            ))}
          </select>
        ) : (
          <input
            id={id}
            name={`field:${name}`}
            defaultValue={value}
            placeholder={hint.replaceAll('`', '')}
            required={isRequired}
            autoComplete="off"
            spellCheck={false}
          />
        )
      }
    </Labelled>
  );
};
