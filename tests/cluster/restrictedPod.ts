/** What differs between pods of tests. */
interface PodOfTest {
  readonly name: string;
  /** Number of the user that its program runs as. */
  readonly user: number;
  readonly container: object;
  readonly volumes: readonly object[];
}

/** A pod with one container, which runs once, as a namespace that enforces `restricted` admits it. */
export const restrictedPod = ({ name, user, container, volumes }: PodOfTest): object => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    automountServiceAccountToken: false,
    restartPolicy: 'Never',
    securityContext: { runAsNonRoot: true, runAsUser: user, seccompProfile: { type: 'RuntimeDefault' } },
    containers: [
      {
        name,
        imagePullPolicy: 'IfNotPresent',
        securityContext: {
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ['ALL'] },
        },
        ...container,
      },
    ],
    volumes,
  },
});
