//! Networks in ONNX files, which run without Python.

use core::fmt::Display;
use std::fs::{self, File};
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::process;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use pyo3::prelude::*;
use rten::{DataType, Dimension, LoadErrorKind, Model, ModelOptions, NodeId, NodeInfo, RunOptions, ThreadPool};
use rten::{Value, ValueType, ValueView};
use rten_tensor::{Layout, Tensor};
use search::Stop;

use crate::attend::attend;
use crate::error::Wrong;
use crate::parts::in_parts_of;
use crate::rounds::Rows;

/// Maximum number of positions in a run of the model. Ctrl-C is handled between runs. With 16 positions, a network of
/// dense layers takes a quarter longer.
///
/// A run uses one thread: with several, rounding errors would depend on the number of threads.
const POSITIONS: usize = 32;
/// Type of the input and of the outputs.
const FLOATS: ValueType = ValueType::Tensor(DataType::Float);

/// A network in an ONNX file.
///
/// A child process of `fork` loads the file again: in its copy of the model, another thread of the parent may have held
/// a lock. The lock of this type is held only in threads that are attached to Python, in which no fork can happen.
pub(crate) struct Onnx {
    path: PathBuf,
    shape: Shape,
    /// The network, and the number of the process that loaded it.
    loaded: Mutex<(u32, Arc<Loaded>)>,
}

/// The shapes of the input and of the logits.
#[derive(Clone, Copy)]
pub(crate) struct Shape {
    /// Number of planes.
    pub(crate) planes: usize,
    /// Board size, in squares per side.
    pub(crate) size: usize,
    /// Number of action ids.
    pub(crate) actions: usize,
}

/// An input or output of a network.
struct Port {
    name: &'static str,
    id: NodeId,
    /// The permitted sizes of the dimensions after the first one, which is the number of positions.
    sizes: Vec<Vec<usize>>,
}

/// A loaded network.
struct Loaded {
    /// The file's name in errors, such as `evaluator "network.onnx"`.
    name: String,
    model: Model,
    input: Port,
    outputs: [Port; 2],
}

/// A network that runs on several threads.
pub(crate) struct Session {
    network: Arc<Loaded>,
    threads: usize,
    /// Idle pools of one thread each. They are dropped with the session: a pool that is kept would have no threads in a
    /// child process of `fork`.
    pools: Mutex<Vec<Arc<ThreadPool>>>,
}

impl Onnx {
    /// Loads a file.
    ///
    /// # Errors
    /// If the file cannot be read, or is not a network with these shapes.
    pub(crate) fn load(py: Python<'_>, path: PathBuf, shape: Shape) -> PyResult<Self> {
        let network = Loaded::new(py, &path, shape)?;
        Ok(Self { path, shape, loaded: Mutex::new((process::id(), Arc::new(network))) })
    }

    /// Prepares runs on this number of threads.
    ///
    /// # Errors
    /// If a child process cannot load the file.
    pub(crate) fn session(&self, py: Python<'_>, threads: usize) -> PyResult<Session> {
        let (owner, network) = self.loaded.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let network = if owner == process::id() {
            network
        } else {
            let network = Arc::new(Loaded::new(py, &self.path, self.shape)?);
            *self.loaded.lock().unwrap_or_else(PoisonError::into_inner) = (process::id(), network.clone());
            network
        };
        Ok(Session { network, threads, pools: Mutex::default() })
    }
}

impl Loaded {
    /// Loads a file, and checks the shapes that it declares.
    fn new(py: Python<'_>, path: &Path, shape: Shape) -> PyResult<Self> {
        let name = format!("evaluator \"{}\"", path.display());
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        // Opening a named pipe would wait for a writer.
        if !fs::metadata(path).map_err(named)?.is_file() {
            return Err(wrong(&name, "not a regular file").into());
        }
        File::open(path).map_err(named)?;
        // The first run of any model would start the pool that all models share. Here no fork can happen meanwhile.
        rten::thread_pool();
        // Optimizations would run on the shared pool, whose threads are missing in child processes of `fork`.
        let load = || ModelOptions::with_all_ops().enable_optimization(false).load_file(path);
        let loaded = attend(py, |_| catch_unwind(AssertUnwindSafe(load)))?;
        let model = match loaded.map(|loaded| loaded.map_err(|error| (error.kind(), error.to_string()))) {
            Ok(Ok(model)) => model,
            Ok(Err((LoadErrorKind::UnknownFileType | LoadErrorKind::FormatNotEnabled, _))) => {
                return Err(wrong(&name, "expected a name that ends in .onnx").into());
            }
            Ok(Err((_, error))) => return Err(wrong(&name, format!("expected an ONNX network: {error}")).into()),
            Err(_) => return Err(wrong(&name, "expected an ONNX network").into()),
        };
        let (&[planes], &[logits, values]) = (model.input_ids(), model.output_ids()) else {
            let found = format!("{} inputs and {} outputs", model.input_ids().len(), model.output_ids().len());
            let expected = "one input, planes, and two outputs, logits and values";
            return Err(wrong(&name, format!("{found}: expected {expected}")).into());
        };
        let input = Port { name: "planes", id: planes, sizes: vec![vec![shape.planes, shape.size, shape.size]] };
        let logits = Port { name: "logits", id: logits, sizes: vec![vec![shape.actions]] };
        let values = Port { name: "values", id: values, sizes: vec![vec![], vec![1]] };
        let loaded = Self { name, model, input, outputs: [logits, values] };
        loaded.check_declared(&loaded.input, |count| count.is_none())?;
        for output in &loaded.outputs {
            loaded.check_declared(output, |_| true)?;
        }
        Ok(loaded)
    }

    /// Checks the declared type and shape.
    fn check_declared(&self, port: &Port, is_count: impl Fn(Option<usize>) -> bool) -> Result<(), Wrong> {
        let info = self.model.node_info(port.id);
        self.check_type(port, info.as_ref().and_then(NodeInfo::dtype).unwrap_or(FLOATS))?;
        let size_of = |dimension: &Dimension| match dimension {
            Dimension::Fixed(size) => Some(*size),
            Dimension::Symbolic(_) => None,
        };
        let shape = info.and_then(|info| info.shape()).map(|shape| shape.iter().map(size_of).collect::<Vec<_>>());
        shape.map_or(Ok(()), |shape| self.check_shape(port, &shape, is_count))
    }

    fn check_type(&self, port: &Port, found: ValueType) -> Result<(), Wrong> {
        if found == FLOATS {
            return Ok(());
        }
        Err(wrong(&self.name, format!("{}: {found} found, expected {FLOATS}", port.name)))
    }

    /// Checks a shape. The sizes of dynamic dimensions are `None`.
    fn check_shape(
        &self,
        port: &Port,
        found: &[Option<usize>],
        is_count: impl Fn(Option<usize>) -> bool,
    ) -> Result<(), Wrong> {
        let fits = |found: &[Option<usize>], sizes: &[usize]| {
            found.len() == sizes.len()
                && found.iter().zip(sizes).all(|(found, &size)| found.is_none_or(|it| it == size))
        };
        if let [count, rest @ ..] = found
            && is_count(*count)
            && port.sizes.iter().any(|sizes| fits(rest, sizes))
        {
            return Ok(());
        }
        let found = found.iter().map(|size| size.map_or("?".to_owned(), |size| size.to_string()));
        let found = found.collect::<Vec<_>>().join(", ");
        let shapes = port.sizes.iter().map(|sizes| {
            let sizes = sizes.iter().map(|size| format!(", {size}"));
            format!("[N{}]", sizes.collect::<String>())
        });
        let expected = shapes.collect::<Vec<_>>().join(" or ");
        let expected = format!("{expected} for any number N of positions");
        Err(wrong(&self.name, format!("{} of shape [{found}]: expected {expected}", port.name)))
    }

    /// Evaluates the positions of these planes in this thread pool. Returns logits and values.
    fn run(&self, planes: &[f32], pool: &Arc<ThreadPool>) -> Result<[Vec<f32>; 2], Wrong> {
        let count = planes.len() / self.width();
        let shape = [&[count], &self.input.sizes[0][..]].concat();
        let planes = ValueView::from_shape(&shape, planes).map_err(Wrong::value)?;
        let options = RunOptions::default().with_thread_pool(Some(pool.clone()));
        let [logits, values] = &self.outputs;
        let run = || self.model.run_n(vec![(self.input.id, planes.into())], [logits.id, values.id], Some(options));
        let found = catch_unwind(AssertUnwindSafe(run)).map_err(|_| wrong(&self.name, "an operator has failed"))?;
        let [found_logits, found_values] = found.map_err(|error| wrong(&self.name, error))?;
        Ok([self.numbers(logits, found_logits, count)?, self.numbers(values, found_values, count)?])
    }

    /// Returns the numbers of an output.
    fn numbers(&self, port: &Port, found: Value, count: usize) -> Result<Vec<f32>, Wrong> {
        self.check_type(port, found.dtype())?;
        let shape: Vec<_> = found.shape().iter().map(|&size| Some(size)).collect();
        self.check_shape(port, &shape, |found| found == Some(count))?;
        Ok(found.into_tensor::<f32>().map(Tensor::into_data).unwrap_or_default())
    }

    /// Returns the number of floats of a position.
    fn width(&self) -> usize {
        self.input.sizes[0].iter().product()
    }
}

impl Session {
    /// Evaluates positions. Returns logits and values, which are incomplete after `stop`.
    ///
    /// # Errors
    /// If the network fails or returns other shapes.
    pub(crate) fn evaluate(&self, rows: &Rows, stop: &Stop) -> Result<[Vec<f32>; 2], Wrong> {
        let mut runs: Vec<&[f32]> = rows.planes.chunks(POSITIONS * self.network.width()).collect();
        let parts = in_parts_of(1, self.threads, &mut runs, (), |part| {
            let pool = self.pools().pop().unwrap_or_else(|| Arc::new(ThreadPool::with_num_threads(1)));
            let runs = part.games.iter().take_while(|_| stop.check(0).is_ok());
            let outputs = runs.map(|planes| self.network.run(planes, &pool)).collect::<Result<Vec<_>, _>>();
            self.pools().push(pool);
            outputs
        });
        let mut all = [Vec::new(), Vec::new()];
        for part in parts {
            for outputs in part? {
                all.iter_mut().zip(outputs).for_each(|(all, part)| all.extend(part));
            }
        }
        Ok(all)
    }

    /// Returns the file's name in errors.
    pub(crate) fn name(&self) -> &str {
        &self.network.name
    }

    fn pools(&self) -> MutexGuard<'_, Vec<Arc<ThreadPool>>> {
        self.pools.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn wrong(name: &str, text: impl Display) -> Wrong {
    Wrong::Value(format!("{name}: {text}"))
}
