package dev.consignee.tck.weld;

import static org.assertj.core.api.Assertions.assertThat;

import dev.consignee.tck.Asserts;
import dev.consignee.tck.Clauses;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Holds the contract's page against the tests: what it says is asserted is, and nothing else. */
class ContractCoverageTest {

    private static final String PACKAGE = "dev/consignee/tck";

    @Test
    @SuppressWarnings("SystemOut") // the build's log is to show this one line
    void everyClauseIsAssertedOrOpenAsThePageSays() throws Exception {
        Clauses clauses = Clauses.of(Path.of("..", "..", "docs", "contract.md"));
        assertThat(clauses.statusById()).as("clauses on the page").hasSizeGreaterThan(60);

        Map<String, List<String>> tests = testsById();
        assertThat(tests).as("clauses that tests assert").hasSizeGreaterThan(20);
        assertThat(clauses.disagreements(tests)).isEmpty();
        System.out.println(clauses.summary());
    }

    private static Map<String, List<String>> testsById() throws IOException, URISyntaxException {
        Map<String, List<String>> tests = new TreeMap<>();
        for (String name : classNames()) {
            Class<?> type;
            try {
                type = Class.forName(name, false, ContractCoverageTest.class.getClassLoader());
            } catch (ClassNotFoundException | LinkageError unreadable) {
                throw new AssertionError("cannot look into " + name, unreadable);
            }
            for (Method method : type.getDeclaredMethods()) {
                Asserts asserts = method.getAnnotation(Asserts.class);
                if (asserts != null) {
                    for (String id : asserts.value()) {
                        tests.computeIfAbsent(id, first -> new ArrayList<>())
                                .add(type.getSimpleName() + "." + method.getName());
                    }
                }
            }
        }
        return tests;
    }

    /** The classes of the suite and of this module, wherever they lie. */
    private static List<String> classNames() throws IOException, URISyntaxException {
        List<String> names = new ArrayList<>();
        for (URL url :
                Collections.list(ContractCoverageTest.class.getClassLoader().getResources(PACKAGE))) {
            if (url.getProtocol().equals("jar")) {
                URI jar = URI.create(url.toString().substring(0, url.toString().indexOf('!')));
                try (FileSystem files = FileSystems.newFileSystem(jar, Map.of())) {
                    names.addAll(classNames(files.getPath("/" + PACKAGE)));
                }
            } else {
                names.addAll(classNames(Path.of(url.toURI())));
            }
        }
        return names;
    }

    private static List<String> classNames(Path folder) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.map(file -> folder.relativize(file).toString())
                    .filter(file -> file.endsWith("Test.class"))
                    .map(file -> (PACKAGE + "/" + file.substring(0, file.length() - ".class".length()))
                            .replace('\\', '/')
                            .replace('/', '.'))
                    .toList();
        }
    }
}
